// The puzzle of the day without a server: the date says which of the puzzles it is; a file holds it with all its answers.

import { lang } from "./ui.js";

const DAY = 86_400_000; // milliseconds
const { dataset } = document.body;
const days = Math.floor(Date.now() / DAY); // the same everywhere on earth
const number = days % Number(dataset.count);
dataset.day = new Date(days * DAY).toISOString().slice(0, 10);
dataset.number = number + 1;
dataset.puzzle = `${dataset.game}-${number}`;
dataset.file = `/puzzles/${dataset.puzzle}-${lang}.json`;
await import("./puzzle.js");
