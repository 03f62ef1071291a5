"use strict";

// my-bot, a Stratego bot. Your thinking goes into the two functions below; sbp.js speaks with the arbiter.

const sbp = require("./sbp.js");

/** Where the army stands: one letter a square, the own back row first, each row from file a, `.` for an empty one. */
function chooseDeployment(game) {
  const empty = game.rows * game.width - game.army.length;
  return game.random.shuffle([...game.army, ...Array(empty).fill(".")]).join("");
}

/** One of `game.legal`, such as "a4a5". `game.board.get("a4")` says what stands where. */
function chooseMove(game) {
  return game.random.choice(game.legal);
}

module.exports = { chooseDeployment, chooseMove };

if (require.main === module) sbp.run("my-bot", module.exports);
