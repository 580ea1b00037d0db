import { ask, type Contender, median, rounded } from "../rounds";
import { seed, startLatchkey } from "../service";
import { startFloor } from "./rows";

/** Reading a key over this many concurrent connections. */
export interface Connections {
  connections: number;
  ours: { requestsPerSecond: number; p50: number };
  floor: { requestsPerSecond: number; p50: number };
}

/** Measures reading a key with more and more connections, beside the bare server. */
export async function measureConnections(counts: number[], rounds: number, seconds: number): Promise<Connections[]> {
  const storage = await seed("sqlite", 10_000, 1_000);
  const [server, bare] = [await startLatchkey(storage), await startFloor(storage)];
  const ours: Contender = {
    name: "Latchkey",
    kind: "ours",
    server,
    requests: storage.keys.map(({ id, token }) => ({ path: `/keys/get/${id}?auth=${token}` })),
    status: 200,
  };
  const requests = storage.keys.map(({ id, tokenHash }) => ({ path: `/keys/get/${id}?hash=${tokenHash}` }));
  const floor: Contender = { name: "node:http", kind: "floor", server: bare, requests, status: 200 };
  for (const warm of [ours, floor]) await ask(warm, 32, seconds);

  const answers: Connections[] = [];
  for (const connections of counts) {
    const [ourRounds, floorRounds] = [[], []] as Awaited<ReturnType<typeof ask>>[][];
    for (let round = 0; round < rounds; round++) {
      ourRounds?.push(await ask(ours, connections, seconds));
      floorRounds?.push(await ask(floor, connections, seconds));
    }
    answers.push({ connections, ours: middle(ourRounds ?? []), floor: middle(floorRounds ?? []) });
  }
  await Promise.all([server.stop(), bare.stop()]);
  return answers;
}

const middle = (rounds: { requestsPerSecond: number; p50: number }[]) => ({
  requestsPerSecond: Math.round(median(rounds.map(({ requestsPerSecond }) => requestsPerSecond))),
  p50: rounded(median(rounds.map(({ p50 }) => p50))),
});
