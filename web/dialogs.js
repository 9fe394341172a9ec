// The dialogs for a new game and for settings, and a question. Each fills its <form> and returns
// the choices of the user.

import { handicapName, pageText } from "./play_text.js";
import { LEVELS, levelName } from "./levels.js";
import { preference, remember } from "./preferences.js";

/** Fills a <select>; keeps what is selected. @param {[string, string][]} options values and their texts */
export function fillSelect(select, options, selected = select.value) {
  select.replaceChildren(...options.map(([value, text]) => new Option(text, value, false, value === selected)));
  if (select.selectedIndex < 0) select.selectedIndex = 0;
}

/** Asks a question. Resolves with whether the user agrees; while one is open, no other is asked. */
export async function askYesNo(dialog, question) {
  if (dialog.open) return false;
  dialog.querySelector("p").textContent = question;
  dialog.returnValue = "no";
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  return dialog.returnValue === "yes";
}

const CHOICES = ["level", "handicap", "side", "clock", "main", "byoyomi", "increment"];
const DEFAULT_CHOICES = { level: "-10", handicap: "HIRATE", side: "black", clock: "none" };

/** Asks for the settings of a new game. */
export class NewGameDialog {
  constructor(dialog, onStart) {
    this.dialog = dialog;
    this.form = dialog.querySelector("form");
    this.onStart = onStart;
    this.handicaps = [];
    this.lang = "en";
    this.form.addEventListener("input", () => this.updateFields());
    dialog.addEventListener("close", () => this.handleClose());
  }

  field(name) {
    return this.form.elements.namedItem(name);
  }

  open(handicaps, lang) {
    [this.handicaps, this.lang] = [handicaps, lang];
    const text = pageText(lang);
    const chosen = (name) => preference("game-" + name, DEFAULT_CHOICES[name] ?? this.field(name).value);
    fillSelect(this.field("level"), LEVELS.map((level) => [level, levelName(level, lang)]), chosen("level"));
    fillSelect(this.field("handicap"), handicaps.map((one) => [one.preset, handicapName(one, lang)]), chosen("handicap"));
    fillSelect(this.field("side"), Object.entries(text.sides), chosen("side"));
    fillSelect(this.field("clock"), Object.entries(text.clocks), chosen("clock"));
    for (const name of ["main", "byoyomi", "increment"]) this.field(name).value = chosen(name);
    this.updateFields();
    this.dialog.returnValue = "";
    this.dialog.showModal();
  }

  /** Shows what the other choices leave open. */
  updateFields() {
    const text = pageText(this.lang);
    const isEven = this.field("handicap").value === "HIRATE";
    fillSelect(this.field("side"), Object.entries(isEven ? text.sides : text.handicapSides));
    const clock = this.field("clock").value;
    for (const label of this.form.querySelectorAll("[data-clock]")) {
      label.hidden = !label.dataset.clock.split(" ").includes(clock);
      // What is not shown cannot be wrong.
      label.querySelector("input").disabled = label.hidden;
    }
    const limits = this.limits();
    const isOverAtOnce = limits !== null && limits.main + limits.byoyomi <= 0;
    this.field("main").setCustomValidity(isOverAtOnce ? text.noTime : "");
  }

  handleClose() {
    const how = this.dialog.returnValue;
    if (how !== "start" && how !== "here") return;
    for (const name of CHOICES) remember("game-" + name, this.field(name).value);
    const side = this.field("side").value;
    const user = side === "random" ? (Math.random() < 0.5 ? "black" : "white") : side;
    const { sfen } = this.handicaps.find(({ preset }) => preset === this.field("handicap").value);
    const settings = { user, level: this.field("level").value, limits: this.limits() };
    this.onStart(settings, how === "start" ? sfen : null);
  }

  /** The clock in milliseconds, or null. */
  limits() {
    const kind = this.field("clock").value;
    if (kind === "none") return null;
    const milliseconds = (name, unit) => Number(this.field(name).value) * unit;
    const increment = kind === "increment" ? milliseconds("increment", 1000) : 0;
    return {
      // An increment is added after a move: without a main time the first move has one too.
      main: milliseconds("main", 60_000) || increment,
      byoyomi: kind === "byoyomi" ? milliseconds("byoyomi", 1000) : 0,
      increment,
    };
  }
}

/** Shows the preferences and changes them at once. */
export class SettingsDialog {
  /** @param {(name: string, value: string) => void} onChoose */
  constructor(dialog, onChoose) {
    this.dialog = dialog;
    this.form = dialog.querySelector("form");
    this.form.addEventListener("change", ({ target }) => onChoose(target.name, target.value));
  }

  open(preferences) {
    this.fill(preferences);
    this.dialog.showModal();
  }

  fill(preferences) {
    const text = pageText(preferences.language);
    const numbers = (values) => values.map((value) => [String(value), String(value)]);
    const choices = {
      theme: Object.entries(text.themes),
      pieces: Object.entries(text.pieceStyles),
      coordinates: Object.entries(text.coordinateStyles),
      lineCount: numbers([1, 2, 3, 4, 5, 8]),
      moveTime: numbers([0.2, 0.5, 1, 2, 5, 10]),
    };
    this.form.elements.namedItem("language").value = preferences.language;
    for (const [name, options] of Object.entries(choices)) {
      fillSelect(this.form.elements.namedItem(name), options, preferences[name]);
    }
  }
}
