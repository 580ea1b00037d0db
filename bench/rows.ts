import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createDatabase } from "@/scripts/postgres";
import { type RunningServer, scratch, startServer, typescript } from "./child";
import { type BenchRequest, type Comparison, type Contender, compare, type Effort } from "./rounds";
import { copyOf, type Database, type SeededKey, type Storage, seed, startLatchkey } from "./service";

const KEYS = 10_000;
const USERS = 1_000;
const PEER_KEYS = 300;
const WAITING_CODES = 200;

const JSON_TYPE = { "content-type": "application/json" };
const floorQuery = (key: SeededKey) => `hash=${key.tokenHash}`;

/** The requests of each workload, for Latchkey and for the floor. */
const works = {
  "read a key": {
    ours: (key: SeededKey) => `/keys/get/${key.id}?auth=${key.token}`,
    floor: (key: SeededKey) => `/keys/get/${key.id}?${floorQuery(key)}`,
  },
  "check who holds a key": {
    ours: (key: SeededKey) => `/keys/check/${key.holder}?key=${key.id}`,
    floor: (key: SeededKey) => `/keys/check/${key.holder}?key=${key.id}`,
  },
  "change a key": {
    ours: (key: SeededKey, n: number) =>
      `/keys/update/${key.id}?auth=${key.asCreator.token}&key=data&data=${textOf(n)}`,
    floor: (key: SeededKey, n: number) => `/keys/update/${key.id}?hash=${key.asCreator.tokenHash}&data=${textOf(n)}`,
  },
};

const textOf = (n: number) => `${n}`.padStart(100, "t");

/** Reads of all keys, of which so many percent are changes instead. */
const MIXTURES = [1, 5, 20];

function mixed(percent: number, whose: "ours" | "floor") {
  const [read, change] = [works["read a key"][whose], works["change a key"][whose]];
  return (key: SeededKey, n: number) => (n % Math.round(100 / percent) === 0 ? change(key, n) : read(key));
}

/** How many different networks ask for codes, behind a trusted proxy. */
const NETWORKS = [50, 500];

const fromNetworks = (count: number): BenchRequest[] =>
  Array.from({ length: count }, (_, n) => ({
    path: "/link/code",
    headers: { "x-forwarded-for": `203.${n >> 8}.${n & 255}.1` },
  }));

/** Compares row queries: keys and codes, on one database. */
export async function compareRows(
  database: Database,
  effort: Effort,
  isSelected: (work: string) => boolean,
): Promise<Comparison[]> {
  const name = database === "sqlite" ? "SQLite" : "PostgreSQL";
  const storage = await seed(database, KEYS, USERS);
  const copies = {
    floor: await copyOf(storage),
    proxy: await copyOf(storage),
    next: database === "sqlite" ? await copyOf(storage) : undefined,
  };
  const servers = {
    ours: await startLatchkey(storage),
    behindProxy: await startLatchkey(copies.proxy, "direct", { TRUSTED_PROXIES: "loopback" }),
    floor: await startFloor(copies.floor),
    ...(copies.next && { next: await startLatchkey(copies.next, "next") }),
  };
  const peer = await startBetterAuth(database);
  const comparisons: Comparison[] = [];
  const add = async (work: string, contenders: () => Contender[] | Promise<Contender[]>) => {
    if (isSelected(work))
      comparisons.push({ work, database: name, results: await compare(await contenders(), effort) });
  };
  const requestsTo = (path: (key: SeededKey, n: number) => string) =>
    storage.keys.map((key, n) => ({ path: path(key, n) }));

  for (const [work, { ours, floor }] of Object.entries(works)) {
    const isChange = work === "change a key";
    await add(work, () => [
      contender("Latchkey", "ours", { server: servers.ours, requests: requestsTo(ours) }),
      contender("node:http and one prepared statement", "floor", {
        server: servers.floor,
        requests: requestsTo(floor),
      }),
      ...(servers.next
        ? [contender("the same route through next start", "peer", { server: servers.next, requests: requestsTo(ours) })]
        : []),
      contender("better-auth", "peer", { server: peer, requests: isChange ? peer.updates : peer.verifications }),
    ]);
  }
  for (const percent of MIXTURES)
    await add(`read keys, ${percent} % changes`, () => [
      contender("Latchkey", "ours", { server: servers.ours, requests: requestsTo(mixed(percent, "ours")) }),
      contender("node:http and prepared statements", "floor", {
        server: servers.floor,
        requests: requestsTo(mixed(percent, "floor")),
      }),
    ]);
  await add("issue a code", () => [
    contender("Latchkey", "ours", { server: servers.ours, requests: [{ path: "/link/code" }] }),
    contender("node:http and one insert", "floor", { server: servers.floor, requests: [{ path: "/link/code" }] }),
    contender("better-auth", "peer", { server: peer, requests: [deviceCode] }),
  ]);
  for (const networks of NETWORKS)
    await add(`issue codes to ${networks} networks`, () => [
      contender("Latchkey", "ours", { server: servers.behindProxy, requests: fromNetworks(networks) }),
      contender("node:http and one insert", "floor", { server: servers.floor, requests: [{ path: "/link/code" }] }),
    ]);
  await add("poll a code", async () => [
    contender("Latchkey", "ours", {
      server: servers.ours,
      requests: await waiting(servers.ours, { path: "/link/code" }, ({ code }) => ({
        path: `/link/user?code=${code}`,
      })),
      status: 404,
    }),
    contender("node:http and one select", "floor", {
      server: servers.floor,
      requests: await waiting(servers.floor, { path: "/link/code" }, ({ codeHash }) => ({
        path: `/link/user?code=${codeHash}`,
      })),
    }),
    contender("better-auth", "peer", {
      server: peer,
      requests: await waiting(peer, deviceCode, devicePoll),
      status: 400,
    }),
  ]);
  await Promise.all([...Object.values(servers), peer].map((server) => server.stop()));
  return comparisons;
}

const contender = (
  name: string,
  kind: Contender["kind"],
  { server, requests, status = 200 }: Pick<Contender, "server" | "requests"> & { status?: number },
): Contender => ({
  name,
  kind,
  server,
  requests,
  status,
});

/** Pending codes, and the request for each. */
async function waiting(
  server: RunningServer,
  { path, ...init }: BenchRequest,
  poll: (headers: Record<string, string>) => BenchRequest,
): Promise<BenchRequest[]> {
  const codes: BenchRequest[] = [];
  for (let n = 0; n < WAITING_CODES; n++) codes.push(poll(await (await fetch(`${server.url}${path}`, init)).json()));
  return codes;
}

const deviceCode: BenchRequest = {
  path: "/api/auth/device/code",
  method: "POST",
  headers: JSON_TYPE,
  body: JSON.stringify({ client_id: "bench" }),
};
const devicePoll = ({ device_code }: Record<string, string>): BenchRequest => ({
  path: "/api/auth/device/token",
  method: "POST",
  headers: JSON_TYPE,
  body: JSON.stringify({ grant_type: "urn:ietf:params:oauth:grant-type:device_code", client_id: "bench", device_code }),
});

/** The bare server on these rows. */
const startFloor = ({ environment }: Storage) =>
  startServer({ name: `floor-${environment.DATA_DIR}`, parameters: typescript("bench/floors/rows.ts"), environment });

async function startBetterAuth(database: Database) {
  const name = "better_auth";
  const keysFile = join(scratch, `${name}-${database === "sqlite" ? "sqlite" : "postgresql"}.json`);
  const server = await startServer({
    name,
    parameters: ["bench/peers/better-auth.mjs", String(PEER_KEYS)],
    environment: {
      DATABASE: database === "sqlite" ? join(scratch, `${name}.db`) : await createDatabase(database.postgres, name),
      KEYS_FILE: keysFile,
    },
  });
  const keys: { id: string; key: string }[] = JSON.parse(readFileSync(keysFile, "utf8"));
  return {
    ...server,
    verifications: keys.map(({ key }) => ({ path: `/verify?key=${key}` })),
    updates: keys.map((key, n) => ({ path: `/update?id=${key.id}&name=name-${n}` })),
  };
}
