// The conversation with the arbiter: answers its questions, takes in its news, passes over what it does not know.

import { createInterface } from "node:readline";

const FILES = "abcdefghiklmnopqrstuvwxyz"; // there is no j

/** A bot's ideas. */
export interface Thinking {
  name: string;

  /** Where the army stands: one letter a square, the own back row first, each row from file a, `.` for an empty one. */
  chooseDeployment(game: Game): string;

  /** One of `game.legal`, which is not empty. `game.board.get("a4")` says what stands where. */
  chooseMove(game: Game): string;
}

/** Random numbers from a seed: SplitMix64. */
export class Random {
  #state: bigint;

  constructor(seed: bigint) {
    this.#state = seed;
  }

  /** A number from 0 to `n` - 1. */
  below(n: number): number {
    const wrap = (x: bigint) => BigInt.asUintN(64, x);
    this.#state = wrap(this.#state + 0x9e3779b97f4a7c15n);
    let z = this.#state;
    z = wrap((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = wrap((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return Number((z ^ (z >> 31n)) % BigInt(n));
  }

  /** One of the items, of which there must be some. */
  choice<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** Shuffles an array in place. */
  shuffle<T>(items: T[]): T[] {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [items[i], items[j]] = [items[j]!, items[i]!];
    }
    return items;
  }
}

/** One game, as far as this side knows it. */
export class Game {
  /** The words of `newgame`. */
  readonly rules: ReadonlyMap<string, string>;
  readonly colour: string;
  readonly width: number;
  readonly height: number;
  /** Deployment rows of each side. */
  readonly rows: number;
  /** One letter a piece: F, B, S, 2 to 9, M. */
  readonly army: string[];
  /** Seeded by the arbiter: the same game again gives the same moves again. */
  readonly random: Random;
  deployment = "";
  /**
   * Square to character: `.` empty, `~` lake, own pieces in capitals and digits, `?` unknown, `!` unknown and has
   * moved, known enemies f b s c d e g h i j k m (flag, bomb, spy, 2 to 9, marshal).
   */
  readonly board = new Map<string, string>();
  /** The moves of the game so far, as told: ["red", "a4", "a5", "battle", "6", "4", "won"]. */
  readonly moves: string[][] = [];
  legal: string[] = [];
  /** Moves of this turn that were taken back. */
  refused: string[] = [];
  /** Whether the opponent has just offered a draw; answering with a move declines it. */
  drawOffered = false;

  constructor(words: string[]) {
    const pairs = words.filter((word) => word.includes("=")).map((word) => {
      const at = word.indexOf("=");
      return [word.slice(0, at), word.slice(at + 1)] as const;
    });
    this.rules = new Map(pairs);
    const rule = (key: string) => this.rules.get(key) ?? "";
    const [width, height] = rule("board").split("x");
    this.colour = rule("colour");
    this.width = Number(width);
    this.height = Number(height);
    this.rows = Number(rule("rows"));
    this.army = rule("army").split(",").flatMap((item) => Array<string>(Number(item.slice(1))).fill(item.charAt(0)));
    this.random = new Random(BigInt(rule("seed")));
  }

  /** Takes in the view of the board, whose first row is the highest rank. */
  see(rows: string): void {
    rows.split("/").forEach((row, above) => {
      [...row].forEach((letter, file) => this.board.set(FILES.charAt(file) + (this.height - above), letter));
    });
  }
}

/** Turns each line of the arbiter into the answer that it wants, or into nothing. */
export class Conversation {
  readonly #bot: Thinking;
  #game = new Game(["board=0x0", "army=F0"]);

  constructor(bot: Thinking) {
    this.#bot = bot;
  }

  hear(line: string): string | undefined {
    const [word, ...rest] = line.trim().split(/\s+/);
    const game = this.#game;
    switch (word) {
      case "sbp":
        return `id name ${this.#bot.name}\nwant legal board\nfeature deterministic\nok`;
      case "isready":
        return "readyok";
      case "newgame":
        this.#game = new Game(rest);
        return;
      case "setup":
        if (rest[0] === "assigned") {
          game.deployment = rest[1] ?? "";
          return;
        }
        game.deployment = this.#bot.chooseDeployment(game);
        return `setup ${game.deployment}`;
      case "moved":
        game.moves.push(rest);
        game.refused = [];
        game.drawOffered = false;
        return;
      case "drawoffer":
        game.drawOffered = true;
        return;
      case "illegal": // a clause, then the squares of a move that was taken back
        game.refused.push(rest.slice(1, 3).join(""));
        return;
      case "board":
        game.see(rest[0] ?? "");
        return;
      case "legal":
        // What was refused is refused again, whatever the list says.
        game.legal = rest.filter((move) => !game.refused.includes(move));
        return;
      case "go":
        return game.legal.length > 0 ? `move ${this.#bot.chooseMove(game)}` : "resign";
      default:
        return;
    }
  }
}

/** Plays games until `quit` or the end of the input. */
export function run(bot: Thinking): void {
  const conversation = new Conversation(bot);
  process.stdout.on("error", () => process.exit()); // nobody is left to talk to
  const lines = createInterface({ input: process.stdin });
  let over = false;
  lines.on("line", (line) => {
    if (over || line.trim() === "quit") {
      over = true;
      lines.close();
      process.stdin.destroy();
      return;
    }
    const answer = conversation.hear(line);
    if (answer !== undefined) process.stdout.write(answer + "\n");
  });
}
