// Copying and saving text for other programs.
//
// copyText(text) -> whether the clipboard has it now (a promise), where `text` may be a promise too;
// download(name, content) saves text or bytes.

import { htmlElement } from "./dom.js";

const KEPT_MS = 60_000;

export async function copyText(text) {
  try {
    // Safari allows it during the click only, and waits for a promise.
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blobOf(text) })]);
    return true;
  } catch {
    // Without permission, or at an address that is not secure: as browsers did before.
    const content = await text;
    const box = htmlElement("textarea", "visually-hidden");
    const focused = document.activeElement;
    box.value = content;
    (document.querySelector("dialog[open]") ?? document.body).append(box);
    box.select();
    const isDone = document.execCommand("copy");
    box.remove();
    focused?.focus();
    return isDone;
  }
}

const blobOf = async (text) => new Blob([await text], { type: "text/plain" });

export function download(name, content) {
  const link = htmlElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  link.download = name;
  link.click();
  // Some browsers begin to read it later.
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
