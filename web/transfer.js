// Copying and saving text for other programs.
//
// copyText(text) -> whether the clipboard has it now (a promise); download(name, content) saves text or bytes.

import { htmlElement } from "./dom.js";

const KEPT_MS = 60_000;

export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Without permission, or at an address that is not secure: as browsers did before.
    const box = htmlElement("textarea", "visually-hidden");
    const focused = document.activeElement;
    box.value = text;
    (document.querySelector("dialog[open]") ?? document.body).append(box);
    box.select();
    const isDone = document.execCommand("copy");
    box.remove();
    focused?.focus();
    return isDone;
  }
}

export function download(name, content) {
  const link = htmlElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  // Some browsers begin to read it later.
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
