import { bot } from "./bot.js";
import { run } from "./sbp.js";

run(bot);
