// What concerns the table as a whole: who may come, and deleting it. Shown under the settings.

import { ask, at, attempt, h, icon, say, toast } from "./ui.js";

/** The settings of the table that its creator may change, and the way to delete it; null if there is nothing to be changed. */
export function tableSettings(view, dialog) {
  const path = `/api/tables/${view.table}`;
  const may = view.may_delete || (view.own.length > 0 && !view.readonly);
  if (!may && !view.creator) return null;
  const change = (wanted) => attempt(null, () => ask("PATCH", path, wanted));
  const word = h("input", { id: "set-password", minlength: 4, maxlength: 100, autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: view.password ? say("live.password_set") : "" });
  const keep = async (event) => {
    event.preventDefault();
    if (await change({ password: word.value.trim() })) toast(say(word.value.trim() ? "live.password_kept" : "live.password_gone"));
  };
  const creator = view.creator && !view.readonly;
  return h("fieldset.house", {},
    h("legend", {}, say("live.this_table")),
    creator ? h("label.toggle", {}, h("input", { type: "checkbox", id: "set-public", checked: view.public, onchange: (event) => change({ public: event.target.checked }) }), h("span", {}, say("live.public"), h("small", {}, say("live.public_help")))) : null,
    creator ? h("form.password", { onsubmit: keep }, h("label", { for: "set-password" }, say("live.password")), word, h("button", { type: "submit" }, say("live.password_keep")), h("small", {}, say("live.password_help"))) : null,
    may ? h("button.danger", { type: "button", "data-key": "delete", onclick: () => confirmDeleting(view, dialog) }, icon("close"), say(view.may_delete ? "live.delete" : "live.ask_delete")) : null);
}

/** Make sure that somebody wants to delete the table; then delete it, or ask the others. */
function confirmDeleting(view, dialog) {
  const go = (event) => attempt(event.currentTarget, async () => {
    if (view.may_delete) {
      await ask("DELETE", `/api/tables/${view.table}`);
      location.href = at("/");
    } else {
      await ask("POST", `/api/tables/${view.table}/requests`, { what: "delete", seat: view.own[0] });
      dialog.close();
    }
  });
  const words = say(view.may_delete ? "live.delete" : "live.ask_delete");
  const no = h("button", { type: "button", onclick: () => dialog.close() }, say("live.cancel"));
  dialog.replaceChildren(
    h("h2", { id: "ask-title" }, words),
    h("p", {}, say(view.may_delete ? "live.delete_about" : "live.ask_delete_about")),
    h("div.row", {}, h("button.danger", { type: "button", "data-key": "delete-yes", onclick: go }, words), no));
  no.focus();
}
