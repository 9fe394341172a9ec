// The clock of a game: a main time for each side, then byoyomi or an increment, or nothing.
//
// It does not tick by itself: the view reads `remaining`. Times are in milliseconds.

const NONE = { main: 0, byoyomi: 0, increment: 0 };

export class Clock {
  /**
   * @param {{main: number, byoyomi: number, increment: number} | null} limits null for no clock
   * @param {() => number} now
   */
  constructor(limits, now = () => performance.now()) {
    this.limits = limits;
    this.now = now;
    const { main } = limits ?? NONE;
    this.left = { black: main, white: main };
    this.running = null;
    /** The side whose time was over when its clock was stopped, or null. */
    this.flagged = null;
    this.since = 0;
  }

  start(side) {
    this.running = side;
    this.since = this.now();
  }

  /** Ends a move and returns the time that it took; 0 if no clock ran. */
  endMove() {
    const side = this.running;
    const used = this.stop();
    if (side && this.flagged !== side) this.left[side] += (this.limits ?? NONE).increment;
    return used;
  }

  /** Stops the clock without a move, so without an increment. Returns the time since its start; 0 if no clock ran. */
  stop() {
    if (!this.running) return 0;
    if (this.hasFlagged) this.flagged = this.running;
    const used = this.now() - this.since;
    // Time beyond the main time is taken from the byoyomi, which every move has anew.
    this.left[this.running] = Math.max(0, this.left[this.running] - used);
    this.running = null;
    return used;
  }

  /** Does not count the last milliseconds, as many as `time`. */
  skip(time) {
    this.since = Math.min(this.since + time, this.now());
  }

  /** @returns {{main: number, byoyomi: number}} what the side has left now */
  remaining(side) {
    if (this.flagged === side) return { main: 0, byoyomi: 0 };
    const { byoyomi } = this.limits ?? NONE;
    const used = this.running === side ? this.now() - this.since : 0;
    const left = this.left[side] - used;
    return { main: Math.max(0, left), byoyomi: Math.max(0, Math.min(byoyomi, byoyomi + left)) };
  }

  /** Whether the side that is to move has no time left. */
  get hasFlagged() {
    if (!this.limits || !this.running) return false;
    const { main, byoyomi } = this.remaining(this.running);
    return main <= 0 && byoyomi <= 0;
  }

  /** The clock in the words of USI. */
  goLine() {
    const whole = (time) => Math.max(0, Math.floor(time));
    const { byoyomi, increment } = this.limits;
    const [black, white] = [whole(this.left.black), whole(this.left.white)];
    // A main time below the increment would tell the engine that the increment of the move is not in it.
    const included = (time) => Math.min(increment, time);
    const extra = increment > 0 ? `binc ${included(black)} winc ${included(white)}` : `byoyomi ${byoyomi}`;
    return `go btime ${black} wtime ${white} ${extra}`;
  }
}
