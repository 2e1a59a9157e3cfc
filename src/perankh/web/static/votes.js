// Consent at the table: requests that wait for an answer, what may be asked for, and announcements.

import { nameOf } from "./panels.js";
import { h, icon, say, toast } from "./ui.js";

const bot = (level) => say(`bot.${level}`);
const names = (view, seats) => seats.map((seat) => nameOf(view, seat)).join(say("live.and"));
const button = (key, sign, words, onclick, first = false) => h(first ? "button.first" : "button", { type: "button", "data-key": key, onclick }, icon(sign), words);

/** What is asked for, in words. */
function question(view, { what, asked_by: by, seat, name, days, bot: level }) {
  if (what === "undo") return say("live.asked_undo", { name: nameOf(view, by) });
  const unit = view.clock?.days ? "_days" : "";
  if (what === "time") return say((by === seat ? "live.asked_time" : "live.asked_time_for") + unit, { name: nameOf(view, seat), by: nameOf(view, by) });
  if (what === "vacation") return say(days === 1 ? "live.asked_vacation_one" : "live.asked_vacation", { name: nameOf(view, seat), days });
  if (what === "delete") return say("live.asked_delete", { name: nameOf(view, by) });
  if (what === "stand_in") return say("live.asked_stand_in", { name: nameOf(view, seat), by: nameOf(view, by), bot: bot(level) });
  return say("live.asked_join", { name, seat: nameOf(view, seat) });
}

/** The request that is being voted on: buttons for those who decide, and for the others whom it waits for. */
export function requestNotice(view, vote) {
  const request = view.request;
  const answer = (agree) => () => vote({ what: request.what, id: request.id, agree });
  const row = [];
  if (request.can_vote) row.push(button("agree", "check", say("live.agree"), answer(true), true), button("refuse", "close", say("live.refuse"), answer(false)));
  else if (request.mine) row.push(button("withdraw", "close", say("live.withdraw"), answer(false)));
  return h("div.notice", {},
    h("p", {}, question(view, request)),
    request.can_vote ? null : h("p.quiet", {}, say("live.vote_waits", { names: names(view, request.waiting) })),
    row.length ? h("div.row", {}, row) : null);
}

/** What concerns one's own seat, or can be asked for now; `change` and `ask` do what the buttons say. */
export function seatNotices(view, { change, ask }) {
  if (view.status !== "playing" || view.readonly) return [];
  const parts = [];
  for (const player of view.players) {
    const own = view.own.includes(player.seat);
    const may = (what) => player.askable.includes(what) && !view.request;
    const { name, seat } = player;
    if (own && player.resigned) {
      parts.push(h("p.notice", {}, say("live.own_resigned", { bot: bot(player.bot) })));
    } else if (own && player.out_of_time) {
      const then = view.settings.on_timeout;
      const words = say(`live.own_time_out_${then}`, { bot: player.bot && bot(player.bot) });
      parts.push(h("div.notice.urgent", {}, h("p", {}, words), may("time") ? h("div.row", {}, button(`time-${seat}`, "clock", say(view.clock?.days ? "live.ask_time_days" : "live.ask_time"), () => ask("time", player), true)) : null));
    } else if (own && player.kind === "bot") {
      parts.push(h("div.notice.urgent", {}, h("p", {}, say("live.own_bot", { bot: bot(player.bot) })), h("div.row", {}, button(`back-${seat}`, "seat", say("live.take_over"), () => change(player, { kind: "me" }), true))));
    } else if (may("stand_in")) {
      parts.push(h("div.notice", {}, h("p", {}, say("live.absent", { name })), h("div.row", {}, button(`stand-in-${seat}`, "shabti", say("live.ask_stand_in", { bot: bot(view.settings.stand_in) }), () => ask("stand_in", player)))));
    } else if (may("join") && !view.own.length) {
      parts.push(h("div.notice", {}, h("p", {}, say("live.vacant", { name, bot: bot(player.bot) })), h("div.row", {}, button(`join-${seat}`, "seat", say("live.ask_join"), () => ask("join", player), true))));
    }
  }
  return parts;
}

// --- Announcements ------------------------------------------------------------------------------------------------

function noticeText(view, { what, seat, name, bot: level, days }) {
  const more = { time_out: `_${view.settings.on_timeout}`, resigned: level ? "_on" : "", time_back: view.clock?.days ? "_days" : "", vacation: days === 1 ? "_one" : "" };
  return say(`live.notice_${what}${more[what] ?? ""}`, { name: name || nameOf(view, seat), bot: level ? bot(level) : "", days });
}

/** The lines of the log with the announcements among them, where they were made. */
export function logWithNotices(view) {
  const kept = view.notices.filter(({ what }) => what !== "declined");
  const lines = kept.map((notice) => ({ n: Math.min(notice.number, view.number), seat: notice.seat, text: noticeText(view, notice), announced: true }));
  return [...view.log, ...lines].sort((one, other) => one.n - other.n);
}

/** Show announcements that are new since the view before. */
export function showNews(view, before) {
  const last = before.notices.at(-1)?.id ?? -1;
  for (const notice of view.notices) if (notice.id > last) toast(noticeText(view, notice));
}
