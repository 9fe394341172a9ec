// The win rate of Black by move, with the bad moves marked and the time used below.
//
// createGraph(element, properties) fills an empty <div> and returns { set }.
// set({...}) takes any of these properties, keeps the others, and redraws:
//   points       [{ winRate, grade, seconds, side, text }], the first for the start: winRate from 0 to 1 or null,
//                grade null, "dubious", "mistake" or "blunder", seconds or null, side "black" or "white" that
//                moved, and the move as text
//   current      the index of the point that is shown elsewhere
//   lang         "ja" or "en"
//   isHandicap   as for the board
//   onGo(index)  called when the user chooses a point
//
// A click goes to a move. To the keyboard it is a slider: arrow keys, Page Up and Down (ten moves), Home, End.

import { svgElement } from "./dom.js";
import { duration, spokenMark, sharedText } from "./text.js";

// Margins around the curve and the height of the bars below it, in pixels.
const PLOT = { left: 38, right: 10, top: 8, bottom: 8 };
const BARS_HEIGHT = 26;

export function createGraph(element, properties) {
  const graph = new Graph(element);
  graph.set(properties);
  return { set: (changes) => graph.set(changes) };
}

class Graph {
  constructor(element) {
    this.properties = { points: [{ winRate: null }], current: 0, lang: "en", isHandicap: false, onGo: () => {} };
    this.element = element;
    element.classList.add("graph");
    element.setAttribute("role", "slider");
    element.tabIndex = 0;
    this.svg = svgElement("svg", { "aria-hidden": "true" });
    element.replaceChildren(this.svg);
    element.addEventListener("click", (event) => this.clicked(event));
    element.addEventListener("keydown", (event) => this.keyPressed(event));
    new ResizeObserver(() => this.draw()).observe(element);
  }

  set(changes) {
    Object.assign(this.properties, changes);
    // Going through a game moves only the mark.
    if (this.here && Object.keys(changes).every((name) => name === "current")) this.mark();
    else this.draw();
  }

  get last() {
    return this.properties.points.length - 1;
  }

  get text() {
    return sharedText(this.properties.lang, this.properties.isHandicap);
  }

  draw() {
    const { points } = this.properties;
    const { element, svg, text } = this;
    element.setAttribute("aria-label", text.graph(text.black));
    element.setAttribute("aria-valuemin", "0");
    element.setAttribute("aria-valuemax", String(this.last));
    this.width = svg.clientWidth || 600;
    this.height = svg.clientHeight || 160;
    this.hasTimes = points.some(({ seconds }) => seconds > 0);
    svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.here = svgElement("line", { class: "here", y1: 4, y2: this.height - 4 });
    svg.replaceChildren(...this.scale(), ...(this.hasTimes ? this.bars() : []), ...this.curve(), this.here, ...this.marks());
    this.mark();
  }

  mark() {
    const { current } = this.properties;
    const x = this.x(current).toFixed(1);
    this.here.setAttribute("x1", x);
    this.here.setAttribute("x2", x);
    this.element.setAttribute("aria-valuenow", String(current));
    this.element.setAttribute("aria-valuetext", this.pointInWords(current));
  }

  pointInWords(index) {
    const { points, lang, isHandicap } = this.properties;
    const { winRate, grade, seconds, text: move } = points[index];
    const { text } = this;
    const parts = [spokenMark(move ?? "", lang, isHandicap) || text.start, grade && text[grade]];
    if (winRate !== null) parts.push(`${text.black} ${Math.round(winRate * 100)}%`);
    if (seconds !== null && seconds !== undefined) parts.push(duration(seconds));
    return parts.filter(Boolean).join(text.comma);
  }

  x(index) {
    return PLOT.left + (this.width - PLOT.left - PLOT.right) * (this.last > 0 ? index / this.last : 0);
  }

  get plotBottom() {
    return this.height - PLOT.bottom - (this.hasTimes ? BARS_HEIGHT + 6 : 0);
  }

  y(winRate) {
    return PLOT.top + (this.plotBottom - PLOT.top) * (1 - winRate);
  }

  scale() {
    const lines = [[1, "▲100"], [0.75, "75"], [0.5, "50"], [0.25, "25"], [0, "△100"]];
    return lines.flatMap(([winRate, label]) => {
      const y = this.y(winRate);
      return [
        svgElement("line", { class: winRate === 0.5 ? "even" : "grid", x1: PLOT.left, x2: this.width - PLOT.right, y1: y, y2: y }),
        svgElement("text", { x: PLOT.left - 4, y: y + 4, "text-anchor": "end" }, label),
      ];
    });
  }

  // A curve for each run of positions whose win rate is known.
  curve() {
    const runs = [[]];
    this.properties.points.forEach(({ winRate }, index) => {
      if (winRate === null) runs.push([]);
      else runs[runs.length - 1].push([this.x(index), this.y(winRate)]);
    });
    return runs.filter((run) => run.length > 0).flatMap((run) => {
      const points = run.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
      const [first, last, even] = [run[0][0], run[run.length - 1][0], this.y(0.5)];
      return [
        svgElement("polygon", { class: "area", points: `${first.toFixed(1)},${even} ${points} ${last.toFixed(1)},${even}` }),
        svgElement("polyline", { class: "curve", points }),
      ];
    });
  }

  marks() {
    return this.properties.points.flatMap(({ winRate, grade }, index) => {
      if (!grade || winRate === null) return [];
      const mark = svgElement("circle", { class: grade, cx: this.x(index).toFixed(1), cy: this.y(winRate).toFixed(1), r: grade === "blunder" ? 5 : 4 });
      mark.append(svgElement("title", {}, this.pointInWords(index)));
      return [mark];
    });
  }

  bars() {
    const { points } = this.properties;
    const longest = Math.max(...points.map(({ seconds }) => seconds ?? 0));
    const bottom = this.height - 4;
    const width = Math.max(1, Math.min(8, (this.x(1) - this.x(0)) * 0.7));
    const bars = points.map(({ seconds, side }, index) => {
      const height = (BARS_HEIGHT * (seconds ?? 0)) / longest;
      return svgElement("rect", { class: "bar " + side, x: (this.x(index) - width / 2).toFixed(1), y: (bottom - height).toFixed(1), width: width.toFixed(1), height: height.toFixed(1) });
    });
    const label = svgElement("text", { x: PLOT.left - 4, y: bottom - BARS_HEIGHT + 10, "text-anchor": "end" }, duration(longest));
    label.append(svgElement("title", {}, this.text.seconds));
    return [...bars, label];
  }

  clicked(event) {
    const box = this.svg.getBoundingClientRect();
    const share = (event.clientX - box.left - PLOT.left) / (box.width - PLOT.left - PLOT.right);
    this.goTo(Math.round(share * this.last));
  }

  keyPressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const { current } = this.properties;
    const targets = {
      ArrowLeft: current - 1, ArrowDown: current - 1, ArrowRight: current + 1, ArrowUp: current + 1,
      PageDown: current - 10, PageUp: current + 10, Home: 0, End: this.last,
    };
    if (!(event.key in targets)) return;
    event.preventDefault();
    event.stopPropagation();
    this.goTo(targets[event.key]);
  }

  goTo(index) {
    this.properties.onGo(Math.max(0, Math.min(index, this.last)));
  }
}
