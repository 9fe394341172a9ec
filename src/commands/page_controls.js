// What the self-contained pages share: the choices of the reader (language, colours, pieces), and the buttons.
//
// readerChoices(): { lang, theme, pieces }, as the browser keeps them; a page may have a language of its own.
// drawButtons(choices, hints): gives the buttons for the choices, the one that flips the board and those with `hints`,
// by their ids, what they do as titles, and the first ones their symbols.
// choiceActions(state, redraw): what these buttons do. They change the choices in `state`, keep them, and call
// redraw.theme, redraw.pieces or redraw.language.

import { setText } from "../../web/dom.js";
import { applyTheme, currentLanguage, preference, remember } from "../../web/preferences.js";
import { sharedText } from "../../web/text.js";

const THEMES = ["auto", "light", "dark"];
// The sun as text: phones draw it as an emoji otherwise.
const THEME_ICONS = { auto: "◐", light: "☀\uFE0E", dark: "☾" };

const otherLanguage = (lang) => (lang === "ja" ? "en" : "ja");

export function readerChoices() {
  return {
    lang: document.documentElement.lang || currentLanguage(),
    theme: preference("theme", "auto"), pieces: preference("pieces", "kanji"),
  };
}

export function drawButtons({ lang, theme, pieces }, hints) {
  const words = sharedText(lang);
  const all = { theme: words.theme[theme], pieces: words.pieceStyle[pieces], flip: words.flip, ...hints };
  for (const [id, hint] of Object.entries(all)) {
    const element = document.getElementById(id);
    element.title = hint;
    element.setAttribute("aria-label", hint);
  }
  const symbols = { theme: THEME_ICONS[theme], pieces: pieces === "kanji" ? "歩" : "P", language: words.otherLanguage };
  for (const [id, symbol] of Object.entries(symbols)) setText(document.getElementById(id), symbol);
  document.getElementById("language").lang = otherLanguage(lang);
}

export function choiceActions(state, redraw) {
  return {
    theme: () => {
      state.theme = THEMES[(THEMES.indexOf(state.theme) + 1) % THEMES.length];
      remember("theme", state.theme);
      applyTheme(state.theme);
      redraw.theme();
    },
    pieces: () => {
      state.pieces = state.pieces === "kanji" ? "letters" : "kanji";
      remember("pieces", state.pieces);
      redraw.pieces();
    },
    language: () => {
      state.lang = otherLanguage(state.lang);
      remember("language", state.lang);
      redraw.language();
    },
  };
}
