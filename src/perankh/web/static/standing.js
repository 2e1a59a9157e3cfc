// Results and matches of a person: figures, a table by game and level, the list of matches.

import { ask, attempt, day, h, say } from "./ui.js";

const place = (id) => document.getElementById(id);
const games = JSON.parse(place("games").textContent);
const titleOf = (game) => games[game] ?? game;
const who = ({ name, kind, bot, mine }) => name || (kind === "bot" && bot ? say(`bot.${bot}`) : say(mine ? "me.yourself" : "me.somebody"));
let shown = []; // the matches in the list
let asked = 0; // counts questions: an answer that was overtaken is not drawn

/** Show everything anew, for the game that is chosen; goes on until all results are counted. */
export async function drawStanding() {
  const question = ++asked;
  const answer = await questioned(0);
  if (question !== asked || !answer) return;
  shown = answer.matches;
  place("standing").hidden = !answer.standing.games.length && !shown.length && !answer.counting;
  drawFilter(answer.standing);
  drawFigures(answer.standing);
  drawResults(answer.standing.games);
  drawMatches(answer.more);
  place("counting").hidden = !answer.counting;
  place("counting").textContent = say("me.counting", { count: answer.counting });
  if (answer.counting) await drawStanding();
}

function questioned(skip) {
  const game = place("game").value;
  return attempt(null, () => ask("GET", `/api/me/matches?skip=${skip}${game ? `&game=${game}` : ""}`));
}

function drawFilter({ games: played }) {
  const select = place("game");
  const known = [...select.options].map((option) => option.value);
  for (const { game } of played) if (!known.includes(game)) select.append(h("option", { value: game }, titleOf(game)));
  place("filter").hidden = select.options.length < 3;
}

function drawFigures(standing) {
  const chosen = standing.games.find(({ game }) => game === place("game").value) ?? standing;
  const figures = [["me.played", chosen.played], ["me.won", chosen.won], ["me.streak", chosen.streak], ["me.longest", chosen.longest]];
  place("figures").replaceChildren(...figures.map(([key, value]) => h("div", {}, h("dt", {}, say(key)), h("dd", {}, value))));
}

function drawResults(played) {
  const chosen = played.filter(({ game }) => !place("game").value || game === place("game").value);
  const share = ({ won, played: all }) => `${Math.round((100 * won) / all)}%`;
  const row = (head, figures, whole) => h(whole ? "tr.whole" : "tr", {}, h("th", { scope: "row" }, head), h("td", {}, figures.played), h("td", {}, figures.won), h("td", {}, share(figures)), h("td", {}, figures.longest));
  const head = ["me.opponents", "me.played", "me.won", "me.share", "me.longest"].map((key) => h("th", { scope: "col" }, say(key)));
  const rows = chosen.flatMap((game) => [row(titleOf(game.game), game, true), ...game.levels.map((level) => row(levelOf(level.level), level))]);
  place("results").replaceChildren(...(rows.length ? [h("table", {}, h("thead", {}, h("tr", {}, head)), h("tbody", {}, rows))] : []));
}

const levelOf = (level) => say(level === "people" ? "me.against_people" : level === "nobody" ? "me.against_nobody" : `bot.${level}`);

function drawMatches(more) {
  const rows = shown.map((match) => {
    const result = match.place ? say("me.place", { place: match.place, of: match.of }) : say("me.uncounted");
    const names = match.seats.map(who).join(say("me.list_comma"));
    return h("li", {}, h("a", { href: `/t/${match.id}` }, h("strong", {}, titleOf(match.game)), h("span.who", {}, names), h(match.place === 1 ? "span.tag.won" : "span.tag", {}, result), h("small", {}, day(match.ended))));
  });
  place("matches").replaceChildren(...rows);
  place("more").hidden = !more;
}

place("game").addEventListener("change", drawStanding);
place("more").addEventListener("click", async (event) => {
  const button = event.currentTarget;
  button.disabled = true;
  const answer = await questioned(shown.length);
  button.disabled = false;
  if (!answer) return;
  const first = place("matches").children.length;
  shown = [...shown, ...answer.matches];
  drawMatches(answer.more);
  place("matches").children[first]?.firstChild.focus();
});
