// my-bot, a Stratego bot. Your thinking goes into the two functions below; sbp.ts speaks with the arbiter.

import type { Game, Thinking } from "./sbp.js";

export const bot: Thinking = {
  name: "my-bot",

  chooseDeployment(game: Game): string {
    const empty = game.rows * game.width - game.army.length;
    return game.random.shuffle([...game.army, ...Array<string>(empty).fill(".")]).join("");
  },

  chooseMove(game: Game): string {
    return game.random.choice(game.legal);
  },
};
