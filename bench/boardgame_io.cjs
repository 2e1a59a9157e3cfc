// A server of boardgame.io with a game whose state has about 32 KB, of which a player may not see all.
//   node boardgame_io.cjs PORT memory|FOLDER
const path = require("path");
const modules = path.join(__dirname, ".boardgame_io", "node_modules");
const { Server, FlatFile, SocketIO } = require(path.join(modules, "boardgame.io", "server"));

const CARDS = 400; // with their owner, place and counters: 32 KB as JSON

const game = {
  name: "peer",
  setup: ({ random }) => ({
    deck: random.Shuffle([...Array(CARDS).keys()]),
    hands: { 0: [1, 2, 3, 4, 5], 1: [6, 7, 8, 9, 10] },
    cards: [...Array(CARDS).keys()].map((id) => ({ id, owner: null, row: 0, column: 0, turned: false, points: 0, note: "unseen" })),
    played: 0,
  }),
  playerView: ({ G, playerID }) => ({ ...G, deck: G.deck.length, hands: { [playerID]: G.hands[playerID] } }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID, random }, id) => {
      const card = G.cards[id % CARDS];
      card.owner = playerID;
      card.row = random.Die(20);
      card.column = random.Die(20);
      card.turned = !card.turned;
      card.points += 1;
      G.hands[playerID].push(G.deck.shift());
      G.deck.push(G.hands[playerID].shift());
      G.played += 1;
    },
  },
};

const [port, storage] = process.argv.slice(2);
// Clients that wait for others to connect, or for their first move, do not answer pings.
const transport = new SocketIO({ socketOpts: { pingTimeout: 600_000 } });
const settings = { games: [game], origins: [`http://127.0.0.1:${port}`], transport };
if (storage !== "memory") settings.db = new FlatFile({ dir: storage });
const server = Server(settings);
const { listen } = server.app;
server.app.listen = (port, done) => listen.call(server.app, port, "127.0.0.1", done); // nobody else may come
server.run(Number(port), () => console.log("ready"));
