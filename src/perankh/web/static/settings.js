// The settings of a player at the table: pace, sound, vibration, forced choices; and the way to the alerts. They are kept in this browser.
// Those of the table come after them.

import { VIBRATION } from "./badge.js";
import { tableSettings } from "./table_settings.js";
import { play } from "./sound.js";
import { PACES, pace } from "./step_player.js";
import { h, icon, memory, say } from "./ui.js";

/** Open the settings in a dialog; changes count at once. */
export function drawSettings(dialog, view, { confirms, forced, setForced, setPace, alerts }) {
  const choice = (name) =>
    h("label.choice", {}, h("input", { type: "radio", name: "pace", value: name, checked: pace() === name, onchange: () => (memory.set("pace", name), setPace()) }), h("span", {}, say(`live.pace_${name}`)));
  const toggle = (id, words, help, on, set) =>
    h("label.toggle", {}, h("input", { type: "checkbox", id, checked: on, onchange: (event) => set(event.target.checked) }), h("span", {}, words, h("small", {}, help)));
  const close = h("button.first", { type: "button", onclick: () => dialog.close() }, say("live.close"));
  dialog.replaceChildren(
    h("h2", { id: "ask-title" }, say("live.settings")),
    h("fieldset.paces", {}, h("legend", {}, say("live.pace")), h("div", {}, PACES.map(choice)), h("small", {}, say("live.pace_help"))),
    toggle("set-sound", say("live.sound"), say("live.sound_help"), memory.get("sound") === "on", (on) => {
      memory.set("sound", on ? "on" : "off");
      if (on) play("turn");
    }),
    toggle("set-confirm", say("live.confirm_setting"), say("live.confirm_help"), confirms(), (on) => memory.set("confirm", on ? "on" : "off")),
    navigator.vibrate ? toggle("set-vibration", say("live.vibration"), say("live.vibration_help"), memory.get("vibration") === "on", (on) => {
      memory.set("vibration", on ? "on" : "off");
      if (on) navigator.vibrate(VIBRATION);
    }) : "",
    toggle("set-forced", say("live.forced_setting"), say("live.forced_help"), forced, setForced),
    tableSettings(view, dialog) ?? "",
    h("div.row", {}, close, alerts ? h("button", { type: "button", "data-key": "alerts", onclick: () => (dialog.close(), alerts()) }, icon("sistrum"), say("alerts.title")) : ""),
  );
  dialog.showModal();
  close.focus();
}
