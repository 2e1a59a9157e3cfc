// A table with a password: give it, and go in.

import { ask, attempt } from "./ui.js";

const form = document.getElementById("door");
form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(form.querySelector("[type=submit]"), async () => {
    await ask("POST", `/api/tables/${form.dataset.table}/enter`, { password: form.querySelector("#password").value });
    location.reload();
  });
});
