// A guide: its replays, its print, and the way to the lesson of its game.

import { learnHere } from "./learn.js";
import { stepThrough } from "./replay.js";

learnHere();
stepThrough(document);
document.getElementById("print").addEventListener("click", async () => {
  for (const image of document.images) image.loading = "eager"; // what was not in sight yet is printed too
  await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
  print();
});
