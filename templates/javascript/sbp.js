"use strict";

// The conversation with the arbiter: answers its questions, takes in its news, passes over what it does not know.

const readline = require("node:readline");

const FILES = "abcdefghiklmnopqrstuvwxyz"; // there is no j

/** Random numbers from a seed, a BigInt: SplitMix64. */
class Random {
  constructor(seed) {
    this.state = BigInt.asUintN(64, seed);
  }

  below(n) {
    const wrap = (x) => BigInt.asUintN(64, x);
    this.state = wrap(this.state + 0x9e3779b97f4a7c15n);
    let z = this.state;
    z = wrap((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = wrap((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return Number((z ^ (z >> 31n)) % BigInt(n));
  }

  choice(items) {
    return items[this.below(items.length)];
  }

  /** Shuffles an array in place. */
  shuffle(items) {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [items[i], items[j]] = [items[j], items[i]];
    }
    return items;
  }
}

/** One game, as far as this side knows it. */
class Game {
  constructor(words) {
    this.rules = new Map(words.filter((word) => word.includes("=")).map((word) => word.split(/=(.*)/).slice(0, 2)));
    this.colour = this.rules.get("colour");
    [this.width, this.height] = this.rules.get("board").split("x").map(Number);
    this.rows = Number(this.rules.get("rows"));
    // One letter a piece: F, B, S, 2 to 9, M.
    this.army = this.rules.get("army").split(",").flatMap((item) => Array(Number(item.slice(1))).fill(item[0]));
    // Seeded by the arbiter: the same game again gives the same moves again.
    this.random = new Random(BigInt(this.rules.get("seed")));
    this.deployment = "";
    // Square to character: `.` empty, `~` lake, own pieces in capitals and digits, `?` unknown, `!` unknown and
    // has moved, known enemies f b s c d e g h i j k m (flag, bomb, spy, 2 to 9, marshal).
    this.board = new Map();
    // The moves of the game so far, as told: ["red", "a4", "a5", "battle", "6", "4", "won"].
    this.moves = [];
    this.legal = [];
    // Moves of this turn that were taken back.
    this.refused = [];
    // Whether the opponent has just offered a draw; answering with a move declines it.
    this.drawOffered = false;
  }

  /** Takes in the view of the board, whose first row is the highest rank. */
  see(rows) {
    rows.split("/").forEach((row, above) => {
      [...row].forEach((letter, file) => this.board.set(FILES[file] + (this.height - above), letter));
    });
  }
}

/** Turns each line of the arbiter into the answer that it wants, or into null. */
class Conversation {
  constructor(name, { chooseDeployment, chooseMove }) {
    Object.assign(this, { name, chooseDeployment, chooseMove, game: null });
  }

  hear(line) {
    const [word, ...rest] = line.trim().split(/\s+/);
    const game = this.game;
    switch (word) {
      case "sbp":
        return `id name ${this.name}\nwant legal board\nfeature deterministic\nok`;
      case "isready":
        return "readyok";
      case "newgame":
        this.game = new Game(rest);
        return null;
      case "setup":
        if (rest[0] === "assigned") {
          game.deployment = rest[1];
          return null;
        }
        game.deployment = this.chooseDeployment(game);
        return `setup ${game.deployment}`;
      case "moved":
        game.moves.push(rest);
        game.refused = [];
        game.drawOffered = false;
        return null;
      case "drawoffer":
        game.drawOffered = true;
        return null;
      case "illegal": // a clause, then the squares of a move that was taken back
        game.refused.push(rest[1] + rest[2]);
        return null;
      case "board":
        game.see(rest[0]);
        return null;
      case "legal":
        game.legal = rest;
        return null;
      case "go":
        // What was refused is refused again, whatever the list says.
        game.legal = game.legal.filter((move) => !game.refused.includes(move));
        return game.legal.length > 0 ? `move ${this.chooseMove(game)}` : "resign";
      default:
        return null;
    }
  }
}

/** Plays games until `quit` or the end of the input. */
function run(name, choices) {
  const conversation = new Conversation(name, choices);
  process.stdout.on("error", () => process.exit()); // nobody is left to talk to
  const lines = readline.createInterface({ input: process.stdin });
  let over = false;
  lines.on("line", (line) => {
    if (over || line.trim() === "quit") {
      over = true;
      lines.close();
      process.stdin.destroy();
      return;
    }
    const answer = conversation.hear(line);
    if (answer !== null) process.stdout.write(answer + "\n");
  });
}

module.exports = { Conversation, Game, Random, run };
