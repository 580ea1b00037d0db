import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "@/lib/ids";
import { startPostgres } from "@/scripts/postgres";
import { actionId } from "@/tests/support/action-id";
import { file, idOf, root, textOf, values } from "@/tests/support/documents";
import { newNetwork } from "@/tests/support/network";
import { sendTo } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { signInByPassword } from "@/tests/support/sign-in";
import type { Deed } from "./acts";
import { dealer } from "./dealer";
import * as files from "./files";
import type { Prey } from "./hostile-attack";
import { startAttackers } from "./hostile-attackers";
import type { Tally } from "./hostile-attackers-process";
import * as keys from "./keys";
import * as links from "./links";
import { type MemoryVerdict, watchMemory } from "./memory";
import { type Operator, startOperator } from "./operator";
import * as pages from "./pages";
import * as people from "./people";
import { type Pulse, watchPulse } from "./pulse";
import { Record } from "./record";
import { errorLines, live } from "./run";

const ATTACKERS = 64;
const HONEST = 3;
const MEMORY_EVERY_MS = 1_000;
/** How long the bare server is attacked: long enough for the same figures. */
const FLOOR_MINUTES = 1;

/** What honest people do meanwhile; each answer is held to the contract. */
export const HONEST_DEEDS: Deed[] = [
  { name: "read a key", weight: 4, act: keys.read },
  { name: "check a holder", weight: 4, act: keys.check },
  { name: "update a key", weight: 4, act: keys.update },
  { name: "list keys", weight: 2, act: keys.list },
  { name: "link", weight: 4, act: links.link },
  { name: "visit a page", weight: 6, act: pages.visit },
  { name: "visit a page signed in", weight: 3, act: pages.visitSignedIn },
  { name: "read files", weight: 3, act: files.readFiles },
  { name: "store files", weight: 1, act: files.storeFiles },
  { name: "ask who I am", weight: 2, act: people.askWhoIAm },
];

export interface HostileSoak {
  minutes: number;
  database: "sqlite" | "postgresql";
  /** How many entries the document has that is listed and deleted from. */
  entries?: number;
}

export interface HostileReport {
  pulse: Pulse;
  /** The same of a server that does nothing but answer, under the same attackers. */
  floor: Pulse;
  /** The service's own figure of its event loop's delay, seconds by name. */
  loop: string[];
  memory: MemoryVerdict;
  /** What honest people asked, and every refusal and error line as a fault. */
  record: Record;
  tally: Tally;
  isAlive: boolean;
}

/**
 * Attacks a service of its own for so many minutes by everything that is known, while honest people go on beside it.
 */
export async function hostileSoak(
  { minutes, database, entries = 100_000 }: HostileSoak,
  note: (line: string) => void = () => {},
): Promise<HostileReport> {
  const postgres = database === "postgresql" ? await startPostgres() : undefined;
  const service = await startService({ lane: "direct", database }, {}, postgres);
  const operator = startOperator({ ...service.storage, NEXTAUTH_URL: service.url });
  try {
    const prey = await prepare(service, operator, entries);
    note(`the service is ${service.pids()[0]}, on ${service.url}`);
    const attacked = await attack(service, operator, prey, minutes, note);
    note("now the same attackers before a server that only answers");
    return { ...attacked, floor: await floor(prey, Math.min(minutes, FLOOR_MINUTES)) };
  } finally {
    operator.stop();
    await service.stop();
    await postgres?.stop();
  }
}

/** An account with a large document, and a browser that is signed in to it. */
async function prepare(service: RunningService, operator: Operator, entries: number): Promise<Prey> {
  const password = randomBytes(12).toString("base64url");
  const hoarder = await operator.tell("createUser", `s${newId().slice(0, 15)}`, password);
  await operator.tell("importDocument", hoarder, await textOf(manyFiles(hoarder.username, entries)));
  const cookies = await signInByPassword(service.url, hoarder.username, password);
  return {
    origin: service.url,
    hoarder: { cookies, entries },
    actions: {
      remove: actionId("remove", "/files/"),
      enter: actionId("continueWithCode"),
      strangers: actionId("makeAccount"),
      members: actionId("create", "/keys/"),
    },
  };
}

async function* manyFiles(username: string, entries: number): AsyncGenerator<Uint8Array> {
  const ids = Array.from({ length: entries }, (_, index) => idOf(index + 2));
  yield Buffer.from(JSON.stringify(values(root(username, ids))).slice(0, -1));
  for (let n = 2; n < entries + 2; n++)
    yield Buffer.from(`,${JSON.stringify(values(file(username, n, `text ${n}`))).slice(1, -1)}`);
  yield Buffer.from("]");
}

async function attack(
  service: RunningService,
  operator: Operator,
  prey: Prey,
  minutes: number,
  note: (line: string) => void,
) {
  const record = new Record();
  const started = Date.now();
  const end = started + minutes * 60_000;
  const [pid = 0] = service.pids();
  // Reading it begins it anew.
  await loopFigures(service);
  const memory = watchMemory(() => pid, MEMORY_EVERY_MS);
  const attackers = startAttackers({ prey, clients: ATTACKERS });
  const pulse = watchPulse(service.url, newNetwork().id, (reason) =>
    record.fault({ act: "the pulse", route: "/health", reason }),
  );
  const telling = setInterval(() => {
    note(
      `minute ${Math.round((Date.now() - started) / 60_000)} of ${minutes}: ${record.answers} honest ` +
        `answers, ${record.faultCount} not allowed`,
    );
  }, 60_000);
  const deal = dealer(HONEST_DEEDS);
  await Promise.all(Array.from({ length: HONEST }, () => live({ origin: service.url, record, operator, end, deal })));
  clearInterval(telling);
  const felt = await pulse.stop();
  const loop = await loopFigures(service);
  const tally = await attackers.stop();
  for (const reason of errorLines(service.logFile)) record.fault({ act: "the service's log", route: "", reason });
  const { status } = await sendTo(service.url, "/ready");
  return {
    pulse: felt,
    loop,
    memory: memory.verdict(),
    record,
    tally,
    isAlive: status === 200 && service.pids()[0] === pid,
  };
}

/** What /metrics says of the event loop since it was asked last. */
async function loopFigures({ url, metricsToken }: RunningService): Promise<string[]> {
  const { text } = await sendTo(url, "/metrics", { headers: { Authorization: `Bearer ${metricsToken}` } });
  return text.split("\n").filter((line) => /^nodejs_eventloop_lag_(?:p50|p99|max)_seconds/.test(line));
}

async function floor(prey: Prey, minutes: number): Promise<Pulse> {
  const server = fork("tests/soak/bare-server-process.ts", [], { execArgv: ["--import", "tsx"] });
  const [port] = await once(server, "message");
  const origin = `http://127.0.0.1:${port}`;
  const attackers = startAttackers({ prey: { ...prey, origin }, clients: ATTACKERS });
  const pulse = watchPulse(origin, newNetwork().id, () => {});
  await sleep(minutes * 60_000);
  const felt = await pulse.stop();
  await attackers.stop();
  server.disconnect();
  return felt;
}
