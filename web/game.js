// A game as a tree of moves, with the analysis of its positions. It does not implement the rules:
// its moves come from the board, which allows legal ones only, or from the engine's readers.
//
// A node is { parent, children, ply, usi, ja, en, end, seconds, comments, evaluations, analysis }; node 0 is the start
// and `ply` the number of moves from there. `analysis` is the page's own analysis: [{ score, depth, moves }], best
// first, from Black's side. `aside` marks a branch of the record from whose place a match is played: the line does not
// go on there by itself.

import { START_SFEN, parseSfen } from "./sfen.js";

const SAVED_FIELDS = ["usi", "ja", "en", "end", "seconds", "comments", "remarks", "bookmark", "evaluations", "analysis", "aside"];

export class Game {
  constructor(start = START_SFEN, headers = []) {
    this.start = start;
    this.firstSide = parseSfen(start).side;
    /** @type {[string, string][]} */
    this.headers = headers;
    /** Whether White gives a handicap: the engine's readers tell it, and in the handicaps of the page White moves first. */
    this.isHandicap = this.firstSide === "white" && this.startPosition.number === 1;
    this.nodes = [{ parent: null, children: [], ply: 0 }];
  }

  /** A game from the engine's readers, or from `toTree`. */
  static fromTree({ start, handicap, headers, nodes }) {
    const game = new Game(start, headers);
    game.isHandicap = handicap ?? game.isHandicap;
    nodes.forEach((node, id) => {
      if (id === 0) Object.assign(game.nodes[0], savedFields(node));
      else game.append(node.parent, savedFields(node));
    });
    return game;
  }

  /**
   * Plain values in the order of the tree, for the engine's writers and for the browser's memory. A position has one end,
   * that of the line: a match may have ended where the record did, in the same moves, otherwise.
   */
  toTree({ withAnalysis = false } = {}) {
    const nodes = [];
    // The positions by the position before and the move, or "" for an end.
    const positions = new Map();
    const stack = [{ id: 0, parent: undefined, before: "" }];
    while (stack.length > 0) {
      const { id, parent, before } = stack.pop();
      const node = this.nodes[id];
      const step = `${before} ${node.usi ?? ""}`;
      if (node.end && positions.has(step)) continue;
      const position = positions.get(step) ?? positions.size;
      positions.set(step, position);
      const here = nodes.length;
      const { analysis, ...kept } = savedFields(node);
      nodes.push({ ...kept, ...(parent !== undefined && { parent }), ...(withAnalysis && analysis && { analysis }) });
      const inOrder = [...this.activeChildren(id), ...node.children.filter((child) => this.nodes[child].aside)];
      for (const child of inOrder.reverse()) stack.push({ id: child, parent: here, before: position });
    }
    return { start: this.start, handicap: this.isHandicap, headers: this.headers, nodes };
  }

  append(parent, properties) {
    const id = this.nodes.length;
    const ply = this.nodes[parent].ply + (properties.usi ? 1 : 0);
    this.nodes.push({ children: [], ...properties, parent, ply });
    this.nodes[parent].children.push(id);
    return id;
  }

  /** The children of a node that are not set aside. */
  activeChildren(id) {
    return this.nodes[id].children.filter((child) => !this.nodes[child].aside);
  }

  /** Makes branches of all that follows a node. */
  setAside(id) {
    for (const child of this.nodes[id].children) this.nodes[child].aside = true;
  }

  /** The node of a move after this one, a new one if it is not there yet. */
  play(id, usi) {
    const isIt = (child) => this.nodes[child].usi === usi;
    return this.activeChildren(id).find(isIt) ?? this.nodes[id].children.find(isIt) ?? this.append(id, { usi });
  }

  /** The node to which moves from the start lead; those that are not there yet are added. */
  walk(moves) {
    return moves.reduce((id, usi) => this.play(id, usi), 0);
  }

  /** As `play`, but never into a branch that is set aside. */
  extend(id, usi) {
    return this.activeChildren(id).find((child) => this.nodes[child].usi === usi) ?? this.append(id, { usi });
  }

  /** Ends the line at this node, unless it has an end. */
  finish(id, end) {
    const known = this.activeChildren(id).find((child) => this.nodes[child].end);
    return known ?? this.append(id, { end });
  }

  /** Removes what follows a node, except what is set aside. The removed nodes stay in the list, out of reach. */
  removeAfter(id) {
    this.nodes[id].children = this.nodes[id].children.filter((child) => this.nodes[child].aside);
  }

  /** The nodes from the start to this one. */
  path(id) {
    const path = [];
    for (let at = id; at !== null; at = this.nodes[at].parent) path.push(at);
    return path.reverse();
  }

  /** The moves that lead to this node, in USI. */
  moves(id) {
    return this.path(id).map((at) => this.nodes[at].usi).filter(Boolean);
  }

  /** The nodes from this one along the first children, without ends. */
  continuation(id) {
    const line = [];
    for (let at = this.nextMove(id); at !== null; at = this.nextMove(at)) line.push(at);
    return line;
  }

  /** The line through this node to its end: what a list of moves and a graph show. */
  line(id) {
    return [...this.path(id).filter((at) => !this.nodes[at].end), ...this.continuation(id)];
  }

  nextMove(id) {
    return this.activeChildren(id).find((child) => this.nodes[child].usi) ?? null;
  }

  get startPosition() {
    return parseSfen(this.start);
  }

  /** The side that moves after this node. */
  sideAfter(id) {
    const isEven = this.nodes[id].ply % 2 === 0;
    return isEven === (this.firstSide === "black") ? "black" : "white";
  }

  /** Whether there is nothing but the initial position. */
  get isEmpty() {
    const { children, comments } = this.nodes[0];
    return children.length === 0 && !comments?.length && this.start === START_SFEN;
  }

  header(name) {
    return this.headers.find(([key]) => key === name)?.[1] ?? "";
  }
}

function savedFields(node) {
  const kept = SAVED_FIELDS.filter((name) => node[name] !== undefined && node[name] !== null);
  return Object.fromEntries(kept.map((name) => [name, node[name]]));
}
