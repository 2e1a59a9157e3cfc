// The page of the alerts.

import { drawAlerts } from "./alerts.js";

drawAlerts(document.getElementById("alerts"));
