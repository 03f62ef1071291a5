import assert from "node:assert";
import test from "node:test";

import { bot } from "./bot.js";
import { Conversation } from "./sbp.js";

const game = (seed: number) =>
  `newgame id=t colour=blue first=red seed=${seed} board=3x4 lakes=none rows=1 army=F1,21 deployment=any novelty=1`;
const isf =
  "newgame id=u colour=red first=red seed=1 board=10x10 lakes=none rows=4 army=F1,B6,S1,28,35,44,54,64,73,82,91,M1";

const sorted = (text: string) => [...text].sort().join("");

function talk(...lines: string[]): string[] {
  const conversation = new Conversation(bot);
  return lines.map((line) => conversation.hear(line)).filter((answer) => answer !== undefined) as string[];
}

test("questions are answered and nothing else is", () => {
  const turn = ["drawoffer", "board .2F/.../.../?..", "legal a4a3 b4b3", "go"];
  const again = ["illegal move.chase a4 a3", "legal a4a3 b4b3", "go"];
  const later = ["moved blue b4 b3", "legal a4a3", "go clock=1,2", "gameover winner=none reason=new"];
  const start = ["sbp 1", "", "weather fine", "isready", game(7), "setup", "start"];
  const [hello = "", ready, setup = "", first = "", ...rest] = talk(...start, ...turn, ...again, ...later);
  assert.equal(hello.split("\n").at(-1), "ok");
  assert.equal(ready, "readyok");
  assert.equal(sorted(setup), sorted("setup .2F"));
  assert.ok(["move a4a3", "move b4b3"].includes(first));
  assert.deepEqual(rest, ["move b4b3", "move a4a3"]);
});

test("the whole army is deployed", () => {
  const [answer = ""] = talk(isf, "setup");
  assert.equal(sorted(answer), sorted("setup FBBBBBBS2222222233333444455556666777889M"));
});

test("the same seed gives the same answers", () => {
  const play = (seed: number) => talk(game(seed), "setup", ...Array(20).fill(["legal a4a3 b4b3 c4c3", "go"]).flat());
  assert.deepEqual(play(1), play(1));
  assert.notDeepEqual(play(1), play(2));
});
