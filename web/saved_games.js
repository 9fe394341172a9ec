// The games of the open and the closed tabs of the page, in the storage of the browser if it is available.
//
// Every tab saves to an entry of its own, so that no tab overwrites the game of another. The storage of the tab keeps
// the id of the entry through a reload. A tab holds the lock of its entry as long as it is open: a new tab takes over
// the newest entry without an open tab. Locks need a secure address; without them a new tab copies the newest entry.

// With its id, the key of an entry and the name of its lock.
const GAME = "kawasemi-saved-game-";
const PREVIOUS = "kawasemi-previous-game-";
const TAB = "kawasemi-tab";
const MAX_ENTRIES = 12;
// After a reload the page before may release its lock a moment later.
const RELOAD_MS = 1000;

/**
 * A game as plain values: its tree, the moves to the node that is shown, and the match (`Match.save`) or null.
 * @typedef {{game: object, path: string[], match: object | null}} SavedGame
 */

export class SavedGames {
  constructor() {
    /** The id of the entry of this tab; null until it is known. */
    this.id = null;
  }

  /**
   * Chooses the entry of this tab.
   * @returns {Promise<{game: SavedGame | null, previous: SavedGame | null}>} what the page shows at first
   */
  async open() {
    const own = read(() => sessionStorage, TAB);
    const closed = own ? [own] : entries();
    for (const id of closed) {
      // Without locks nobody knows whether the tab of another entry is open.
      const isFree = navigator.locks ? await hold(id, own ? RELOAD_MS : 0) : own !== null;
      if (isFree) return this.use(id, id);
    }
    // A tab that was duplicated begins with the game of the other one.
    const copied = own ?? (navigator.locks ? null : closed[0] ?? null);
    const id = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
    if (navigator.locks) await hold(id, 0);
    return this.use(id, copied);
  }

  /** Makes an entry that of this tab, which begins with the games of `source`, an entry or null. */
  use(id, source) {
    this.id = id;
    write(() => sessionStorage, TAB, id);
    const opened = { game: source && load(GAME + source), previous: source && load(PREVIOUS + source) };
    for (const old of entries().filter((other) => other !== id).slice(MAX_ENTRIES)) remove(old);
    return opened;
  }

  /** @param {SavedGame} game @returns {boolean} whether there was room for it */
  save(game) {
    return write(() => localStorage, GAME + this.id, JSON.stringify({ ...game, savedAt: Date.now() }));
  }

  /** Saves the previous game of this tab, which another one has replaced, or null. @param {SavedGame | null} game */
  savePrevious(game) {
    return write(() => localStorage, PREVIOUS + this.id, JSON.stringify(game));
  }

  /**
   * Makes room: removes the oldest entry without an open tab, or else the previous game of this tab. Resolves with
   * whether anything is removed.
   */
  async removeOldest() {
    for (const id of entries().reverse()) {
      if (id !== this.id && (await remove(id))) return true;
    }
    return load(PREVIOUS + this.id) !== null && this.savePrevious(null);
  }
}

/** The ids of all entries, newest first. */
function entries() {
  const ids = keys().filter((key) => key.startsWith(GAME)).map((key) => key.slice(GAME.length));
  const times = new Map(ids.map((id) => [id, load(GAME + id)?.savedAt ?? 0]));
  return ids.sort((a, b) => times.get(b) - times.get(a));
}

/** Removes an entry, unless its tab is open. Resolves with whether it is removed. */
async function remove(id) {
  const act = (lock) => {
    if (lock === null) return false;
    localStorage.removeItem(GAME + id);
    localStorage.removeItem(PREVIOUS + id);
    return true;
  };
  try {
    return navigator.locks ? await navigator.locks.request(GAME + id, { ifAvailable: true }, act) : act();
  } catch {
    // The page is being closed.
    return false;
  }
}

/** Takes the lock of an entry until this tab is closed. Resolves with whether it was free, or became free in time. */
function hold(id, waitMs) {
  const options = waitMs > 0 ? { signal: AbortSignal.timeout(waitMs) } : { ifAvailable: true };
  return new Promise((resolve) => {
    navigator.locks.request(GAME + id, options, (lock) => {
      resolve(lock !== null);
      return lock && new Promise(() => {});
    }).catch(() => resolve(false));
  });
}

function load(key) {
  try {
    return JSON.parse(read(() => localStorage, key));
  } catch {
    // Damaged.
    return null;
  }
}

function keys() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

// Storage that is switched off throws where it is named.
function read(storage, key) {
  try {
    return storage().getItem(key);
  } catch {
    return null;
  }
}

function write(storage, key, text) {
  try {
    storage().setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
