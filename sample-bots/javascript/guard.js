"use strict";

// guard-js: a Stratego bot that looks after its flag.
//
// A few of its pieces stay near the flag and meet whoever comes close; the low pieces of the others probe, the strong
// ones go after what is known to be weaker. Once nothing has happened for a while the guards leave their posts too.
// It wants `board` for where the pieces stand and remembers from `moved` what each of them was seen to be.

const RANKS = "FBS23456789M"; // the order of strength
const KNOWN = "fbscdeghijkm";
const FILES = "abcdefghiklmnopqrstuvwxyz";
const VALUE = { F: 300, B: 7, S: 9, 2: 3, 3: 7, 4: 4.5, 5: 7, 6: 11, 7: 17, 8: 25, 9: 36, M: 50 };
const FAR = 1000;

/** Numbers from a seed below 2^64 (the generator sfc32). */
class Random {
  constructor(seed) {
    [this.a, this.b, this.c, this.n] = [Number(seed & 0xffffffffn), Number((seed >> 32n) & 0xffffffffn), 0x51ed270b, 1];
    for (let i = 0; i < 12; i++) this.bits();
  }

  bits() {
    const t = (((this.a + this.b) | 0) + this.n) | 0;
    this.n = (this.n + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + t) | 0;
    return t >>> 0;
  }

  unit() {
    return this.bits() / 2 ** 32;
  }

  below(n) {
    return this.bits() % n;
  }
}

const moves = (rank) => rank !== "F" && rank !== "B";

/** Above 0 where the attacker wins, 0 where equals meet, below 0 where it is lost. */
function fight(attacker, defender) {
  if (defender === "F" || (attacker === "3" && defender === "B") || (attacker === "S" && defender === "M")) return 1;
  if (defender === "B") return -1;
  return RANKS.indexOf(attacker) - RANKS.indexOf(defender);
}

/** One game: its rules, what stands where, and what is remembered. */
class Game {
  constructor(words, options) {
    const rules = new Map(words.map((word) => [word.split("=", 1)[0], word.slice(word.indexOf("=") + 1)]));
    [this.width, this.height] = rules.get("board").split("x").map(Number);
    this.rows = Number(rules.get("rows"));
    this.army = rules.get("army").split(",").map((item) => [item[0], Number(item.slice(1))]);
    this.colour = rules.get("colour");
    this.random = new Random(BigInt(rules.get("seed")));
    this.guards = options.guards;
    this.squares = this.width * this.height;
    this.view = Array(this.squares).fill("."); // the characters of `board`, from a1 on
    this.shown = Array(this.squares).fill(""); // ranks of enemy pieces, remembered
    this.quiet = 0; // plies since the last battle
    this.legal = [];
    this.refused = [];
  }

  // ---- squares ----

  square(name) {
    return (Number(name.slice(1)) - 1) * this.width + FILES.indexOf(name[0]);
  }

  name(square) {
    return FILES[square % this.width] + (Math.floor(square / this.width) + 1);
  }

  neighbours(square) {
    const file = square % this.width;
    const all = [square + this.width, square - this.width];
    if (file > 0) all.push(square - 1);
    if (file + 1 < this.width) all.push(square + 1);
    return all.filter((s) => s >= 0 && s < this.squares && this.view[s] !== "~");
  }

  /** Rows in front of our own back row, which is 0. */
  depth(square) {
    const rank = Math.floor(square / this.width);
    return this.colour === "red" ? rank : this.height - 1 - rank;
  }

  steps(a, b) {
    const across = Math.abs((a % this.width) - (b % this.width));
    return across + Math.abs(Math.floor(a / this.width) - Math.floor(b / this.width));
  }

  // ---- what the arbiter tells ----

  see(rows) {
    rows.split("/").forEach((row, i) => {
      const first = (this.height - 1 - i) * this.width;
      [...row].forEach((letter, file) => {
        const square = first + file;
        const known = KNOWN.indexOf(letter);
        this.view[square] = letter;
        if (known >= 0) this.shown[square] = RANKS[known];
        else if (letter !== "?" && letter !== "!") this.shown[square] = "";
      });
    });
  }

  moved([colour, from, to, ...rest]) {
    [from, to] = [this.square(from), this.square(to)];
    this.refused = [];
    this.quiet++;
    let [attacker, defender] = [this.shown[from], this.shown[to]];
    if (colour !== this.colour && this.steps(from, to) > 1) attacker = "2";
    let advances = false;
    let outcome = "won";
    if (rest[0] === "battle") {
      this.quiet = 0;
      outcome = rest[3];
      advances = rest[4] === "advances";
      if (rest[1] !== "?") attacker = rest[1];
      if (rest[2] !== "?") defender = rest[2];
    }
    // What stays on the board and is theirs is kept, all else forgotten.
    const theirs = colour !== this.colour;
    this.shown[from] = advances && !theirs ? defender : "";
    this.shown[to] = "";
    if (outcome === "won" && theirs) this.shown[to] = attacker;
    if (outcome === "lost" && !advances && !theirs) this.shown[to] = defender;
  }

  illegal([, from, to]) {
    this.refused.push(from + to);
  }

  // ---- deploying ----

  /** The flag in a corner, bombs about it, the others in the rows they like. */
  deploy() {
    const count = this.rows * this.width;
    const letters = Array(count).fill(".");
    const corner = this.random.below(2) * (this.width - 1);
    const distance = (i) => Math.abs((i % this.width) - corner) + Math.floor(i / this.width);
    const row = (i) => Math.floor(i / this.width) / Math.max(1, this.rows - 1);
    const wish = { S: 0.3, 2: 0.9, 3: 0.2, 4: 0.8, 5: 0.9, 6: 0.7, 7: 0.4, 8: 0.6, 9: 0.4, M: 0.7 };
    const first = "FB3SM9876542";
    const order = [...this.army].sort(([a], [b]) => first.indexOf(a) - first.indexOf(b));
    const thin = this.army.reduce((sum, [, number]) => sum + number, 0) < count;
    for (const [rank, number] of order) {
      for (let k = 0; k < number; k++) {
        const price = (i) => {
          if (rank === "F") return distance(i);
          // Three bombs guard the flag, the others stand in the rear. On a thin field a miner and the spy help.
          if (thin && "3S".includes(rank) && k === 0) return distance(i);
          if (rank === "B") return k < 3 ? distance(i) : row(i) * 2 + this.random.unit();
          return Math.abs(row(i) - wish[rank]) + this.random.unit() * 0.5;
        };
        let best = -1;
        let least = Infinity;
        for (let i = 0; i < count; i++) {
          if (letters[i] !== ".") continue;
          const p = price(i);
          if (p < least) [best, least] = [i, p];
        }
        letters[best] = rank;
      }
    }
    return letters.join("");
  }

  // ---- choosing ----

  choose() {
    const legal = this.legal.filter((move) => !this.refused.includes(move));
    if (legal.length === 0) return "resign";
    this.prepare();
    let [best, most] = ["", -Infinity];
    for (const move of legal) {
      const [, from, to] = move.match(/^([a-z]\d+)([a-z]\d+)$/);
      const score = this.score(this.square(from), this.square(to)) + this.random.unit() * 0.1;
      if (score > most) [best, most] = [`move ${from} ${to}`, score];
    }
    return best;
  }

  mine(square) {
    return RANKS.includes(this.view[square]) ? this.view[square] : "";
  }

  theirs(square) {
    return this.view[square] === "?" || this.view[square] === "!" || KNOWN.includes(this.view[square]);
  }

  /** What is worked out once a turn: who guards, who comes near, and how far it is to every enemy. */
  prepare() {
    this.flag = this.view.indexOf("F");
    const own = this.view.map((_, s) => s).filter((s) => this.mine(s) && moves(this.mine(s)));
    const near = (a, b) => this.steps(a, this.flag) - this.steps(b, this.flag) || a - b;
    const fit = own.filter((s) => "5678".includes(this.mine(s))).sort(near);
    // One guard after the other is let go when nothing happens.
    this.posted = new Set(fit.slice(0, Math.max(0, this.guards - Math.floor(this.quiet / 20))));
    this.enemies = this.view.map((_, s) => s).filter((s) => this.theirs(s));
    this.ways = new Map(this.enemies.map((s) => [s, this.ways_to(s)]));
  }

  /** The steps from every square to a target, across empty squares and our own pieces that can make way. */
  ways_to(target) {
    const steps = Array(this.squares).fill(FAR);
    steps[target] = 0;
    for (let queue = [target], i = 0; i < queue.length; i++) {
      for (const next of this.neighbours(queue[i])) {
        const open = this.view[next] === "." || (this.mine(next) && moves(this.mine(next)));
        if (!open || steps[next] !== FAR) continue;
        steps[next] = steps[queue[i]] + 1;
        queue.push(next);
      }
    }
    return steps;
  }

  score(from, to) {
    const rank = this.mine(from);
    const guard = this.posted.has(from);
    const strike = this.theirs(to) ? this.strike(rank, to) : 0;
    const safety = this.danger(rank, from, to) - this.danger(rank, to, to);
    const way = this.pull(rank, to, guard) - this.pull(rank, from, guard);
    return strike + safety + way;
  }

  strike(rank, square) {
    const other = this.shown[square];
    if (other) {
      const outcome = fight(rank, other);
      return (outcome >= 0 ? VALUE[other] : 0) - (outcome > 0 ? 0 : VALUE[rank]);
    }
    // A probe costs little with a low piece; near our flag everyone may strike.
    const alarm = this.alarm(square) ? 6 : 0;
    return 4 + alarm + this.quiet / 6 - VALUE[rank] * 0.5;
  }

  alarm(square) {
    return this.flag >= 0 && this.view[square] !== "?" && this.steps(square, this.flag) <= 4;
  }

  /** What the piece may lose on a square to the enemies next to it, once the move is made. */
  danger(rank, square, taken) {
    let most = 0;
    for (const next of this.neighbours(square)) {
      if (next === taken || !this.theirs(next)) continue;
      const other = this.shown[next];
      let fear = 0;
      if (!other) fear = "6789M".includes(rank) ? (this.view[next] === "!" ? 0.3 : 0.1) : 0;
      else if (moves(other) && fight(other, rank) > 0) fear = 1;
      most = Math.max(most, fear * VALUE[rank]);
    }
    return most * Math.max(0.1, 1 - this.quiet / 80);
  }

  /** How well a piece stands on a square: near what it wants to strike, or on its post. */
  pull(rank, square, guard) {
    let most = 0;
    for (const enemy of this.enemies) {
      const steps = this.ways.get(enemy)[square];
      const alarm = this.alarm(enemy);
      if (steps === FAR || (guard && !alarm)) continue;
      const gain = this.strike(rank, enemy);
      if (gain > 0) most = Math.max(most, Math.min(gain + (alarm ? 6 : 0), 25) * 0.85 ** steps);
    }
    if (guard && this.flag >= 0) return most - 0.5 * Math.max(0, this.steps(square, this.flag) - 3);
    return most + 0.05 * this.depth(square);
  }
}

// ---- the protocol ----

const options = { guards: 3 };
let game = null;

function answer(line) {
  const [word, ...rest] = line.trim().split(/\s+/);
  switch (word) {
    case "go":
      return game.choose();
    case "legal":
      game.legal = rest;
      return "";
    case "board":
      game.see(rest[0]);
      return "";
    case "moved":
      game.moved(rest);
      return "";
    case "illegal":
      game.illegal(rest);
      return "";
    case "setup":
      return rest[0] === "assigned" ? "" : `setup ${game.deploy()}`;
    case "newgame":
      game = new Game(rest, options);
      return "";
    case "isready":
      return "readyok";
    case "setoption":
      if (rest.slice(0, 3).join(" ") === "name Guards value") options.guards = Number(rest[3]);
      return "";
    case "sbp":
      return [
        "id name guard-js",
        "id author the arbiter project",
        "id version 0.1.0",
        "option name Guards type spin default 3 min 0 max 10",
        "want legal board",
        "feature deterministic",
        "ok",
      ].join("\n");
    default:
      return ""; // news that needs nothing, and words of later versions
  }
}

let rest = "";
process.stdout.on("error", () => process.exit());
process.stdin.setEncoding("latin1");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) {
    if (line.trim() === "quit") {
      process.stdin.destroy();
      return;
    }
    const text = answer(line);
    if (text) process.stdout.write(text + "\n");
  }
});
