// The levels of the engine, and their options.

const KANJI = ["初", "二", "三", "四", "五", "六", "七", "八", "九"];

const WEAKEST_KYU = 20;

/** Full strength, then 9 dan down to 20 kyu, as `USI_Strength` counts them. */
export const LEVELS = ["full", ...Array.from({ length: 9 }, (_, i) => String(9 - i)),
  ...Array.from({ length: WEAKEST_KYU }, (_, i) => String(-1 - i))];

export function levelName(level, lang) {
  if (level === "full") return lang === "ja" ? "最強" : "Full strength";
  const grade = Number(level);
  if (grade < 0) return lang === "ja" ? `${-grade}級` : `${-grade} kyu`;
  return lang === "ja" ? `${KANJI[grade - 1]}段` : `${grade} dan`;
}

/** The options for a game. Declarations count the pieces that a handicap takes away. */
export function gameOptions(level) {
  return {
    USI_LimitStrength: String(level !== "full"),
    ...(level !== "full" && { USI_Strength: level }),
    USI_AnalyseMode: "false",
    MultiPV: "1",
    ResignValue: "3000",
    EnteringKingRule: "CSARule27H",
  };
}

/** The options for analysis, at full strength. */
export function analysisOptions(lines) {
  return {
    USI_LimitStrength: "false",
    USI_AnalyseMode: "true",
    MultiPV: String(lines),
    ResignValue: "99999",
    EnteringKingRule: "CSARule27H",
  };
}
