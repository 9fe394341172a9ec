// The results of the user for each problem, in the storage of the browser if it is available. All
// practice pages share them: a problem is identified by its position.
//
// createProgress() returns { of(problem), reach(problem, state), forget(problems) }. States, best first: "solved" (with
// the first move played, without a hint), "helped" (after a wrong move or a hint), "shown"; null if it was not tried. A
// problem keeps its best state.

import { preference, remember } from "../../../web/preferences.js";

const RECORD = "practice";
const STATES = ["solved", "helped", "shown"];

export function createProgress() {
  let known = {};
  // Without room in the storage the results hold until the page is closed.
  let isKept = true;
  // Before every change, because another page may have written meanwhile.
  const read = () => {
    if (!isKept) return;
    try {
      known = { ...(JSON.parse(preference(RECORD, null)) ?? known) };
    } catch {
      // Something else has written there.
    }
  };
  const of = (problem) => (STATES.includes(known[problem.start]) ? known[problem.start] : null);
  const keep = () => (isKept = remember(RECORD, JSON.stringify(known)));
  read();
  return {
    of,
    reach(problem, state) {
      read();
      const before = of(problem);
      if (before !== null && STATES.indexOf(before) <= STATES.indexOf(state)) return;
      known[problem.start] = state;
      keep();
    },
    forget(problems) {
      read();
      for (const { start } of problems) delete known[start];
      keep();
    },
  };
}
