// A guide: its replays are stepped through.

import { stepThrough } from "./replay.js";

stepThrough(document);
