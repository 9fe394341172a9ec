// Elements in one call. Text is always inserted as text, never as markup.
//
// htmlElement(tag, className, text) and svgElement(tag, attributes, ...children); children may be strings.
// setText(element, text) changes nothing if it is the same: a screen reader would read it again.

export function htmlElement(tag, className, text) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

export function svgElement(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
