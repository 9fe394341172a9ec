// The contrast of text with what is behind it.

/** Runs in the page: texts of HTML with too little contrast. */
export function paleTexts() {
  const channels = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return { rgb: [r, g, b], a };
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((value) => (value <= 10.3 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const { rgb, a } = channels(getComputedStyle(element).backgroundColor);
    if (a === 1 || !element.parentElement) return rgb;
    const below = behind(element.parentElement);
    return rgb.map((value, index) => value * a + below[index] * (1 - a));
  };
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  return [...document.querySelectorAll("body *:not(script, noscript, .visually-hidden, svg *)")].filter((element) => {
    if (!element.checkVisibility() || !hasText(element)) return false;
    const lights = [luminance(channels(getComputedStyle(element).color).rgb), luminance(behind(element))].sort((a, b) => b - a);
    return (lights[0] + 0.05) / (lights[1] + 0.05) < 4.5;
  }).map((element) => `${element.className} ${element.textContent}`);
}
