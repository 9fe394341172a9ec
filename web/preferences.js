// The preferences of the user, in the storage of the browser if it is available.
//
// preference(name, fallback), remember(name, value): strings under "kawasemi-NAME". Names in use:
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
  } catch {
    // A private window: the choice holds until the page is closed.
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
