// The preferences of the user, in the storage of the browser if it is available.
//
// preference(name, fallback): a string under "kawasemi-NAME"; remember(name, value): whether it is kept. Names that pages
// share:
//   language (ja, en), theme (auto, light, dark), pieces (kanji, letters), coordinates (japanese, western).
// currentLanguage(): the remembered language, or that of the browser.
// applyTheme(theme): sets data-theme of <html>, which shogi.css obeys; "auto" follows the system.

export function preference(name, fallback) {
  try {
    return localStorage.getItem("kawasemi-" + name) ?? fallback;
  } catch {
    return fallback;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem("kawasemi-" + name, value);
    return true;
  } catch {
    // A private window, or no room: the choice holds until the page is closed.
    return false;
  }
}

export function currentLanguage() {
  const browsers = (navigator.languages ?? [navigator.language]).map((tag) => tag.slice(0, 2));
  return preference("language", browsers.find((tag) => tag === "ja" || tag === "en") ?? "en");
}

export function applyTheme(theme) {
  const root = document.documentElement;
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  else delete root.dataset.theme;
}
