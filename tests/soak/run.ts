import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "@/lib/platform/ids";
import { bundled } from "@/scripts/bundled.mjs";
import { startPostgres } from "@/scripts/postgres";
import { actionId } from "@/tests/support/call-action";
import { largeDocument, textOf } from "@/tests/support/documents";
import { sendTo } from "@/tests/support/request";
import { type RunningService, startService } from "@/tests/support/service";
import { signInByPassword } from "@/tests/support/user";
import { ACTS, type Deed } from "./acts";
import type { Attackers, Tally } from "./attackers-process";
import type { Prey } from "./attacks";
import { Record, watchMemory, watchPulse } from "./client";
import { dealer, type Household, newHousehold, random } from "./household";
import { type Operator, startOperator } from "./operator";

const HOUSEHOLDS = 12;
const ATTACKERS = 64;
const HONEST_UNDER_ATTACK = 3;
/** Between two acts of one household, at most. Nobody's load is to keep the machine from all other work. */
const MAX_PAUSE_MS = 150;
const MINUTE_MS = 60_000;
/** Of a document with many small entries. */
const BYTES_OF_ENTRY = 300;
/** From pino's documentation: error. */
const ERROR_LEVEL = 50;

/** What honest people do while others attack, and how often. */
const UNDER_ATTACK: { [act: string]: number } = {
  "read a key": 8,
  "update a key": 4,
  "list keys": 2,
  link: 4,
  "visit a page": 6,
  "visit a page signed in": 3,
  "read files": 3,
  "store files": 1,
};
const HONEST_DEEDS = ACTS.flatMap((deed) => {
  const weight = UNDER_ATTACK[deed.name];
  return weight ? [{ ...deed, weight }] : [];
});

export interface Soak {
  database: "sqlite" | "postgresql";
  /** Whether it has lasted long enough, after so many minutes. */
  isOver: (minutes: number, record: Record) => boolean;
  /** How many households there are at once, if not twelve. */
  households?: number;
  /** Added to the service's environment. */
  variables?: { [name: string]: string };
}

export interface Report {
  record: Record;
  /** Whether the service's memory stayed flat; null where the run was too short to say. */
  isFlat: boolean | null;
}

/**
 * Runs mixed load against a service of its own, and holds every answer to the contract and to what was done before.
 * PostgreSQL is one of its own, that waits for the disk.
 */
export function soak(how: Soak): Promise<Report> {
  const { households = HOUSEHOLDS } = how;
  return withService(how, (service, operator) => loaded(how, service, operator, ACTS, households));
}

export interface HostileReport extends Report {
  tally: Tally;
  isAlive: boolean;
}

/**
 * Attacks a service of its own by everything that is known, while honest people go on beside it: they are the record.
 * `entries`: how many the document has that is listed and deleted from.
 */
export function hostileSoak(how: Soak & { entries: number }): Promise<HostileReport> {
  return withService(how, async (service, operator) => {
    const prey = await prepare(service, operator, how.entries);
    const [pid] = service.pids();
    const attackers = await startAttackers(prey);
    const record = new Record();
    const stopPulse = watchPulse(service.url, record);
    const { isFlat } = await loaded(how, service, operator, HONEST_DEEDS, HONEST_UNDER_ATTACK, record);
    await stopPulse();
    const tally = await attackers.stop();
    const isAlive = (await sendTo(service.url, "/ready")).status === 200 && service.pids()[0] === pid;
    return { record, isFlat, tally, isAlive };
  });
}

async function withService<Result>(
  { database, variables }: Soak,
  work: (service: RunningService, operator: Operator) => Promise<Result>,
): Promise<Result> {
  const postgres = database === "postgresql" ? await startPostgres() : undefined;
  const service = await startService({ lane: "direct", database }, variables, postgres);
  const operator = await startOperator({ ...service.storage, NEXTAUTH_URL: service.url });
  try {
    return await work(service, operator);
  } finally {
    operator.stop();
    await service.stop();
    await postgres?.stop();
  }
}

/** So many households do one act after another until it is over. */
async function loaded(
  { isOver }: Soak,
  service: RunningService,
  operator: Operator,
  deeds: Deed[],
  households: number,
  record = new Record(),
): Promise<Report> {
  const memory = watchMemory(service.pids()[0] ?? 0);
  const started = Date.now();
  const minutes = () => (Date.now() - started) / MINUTE_MS;
  const deal = dealer(deeds);
  const live = async () => {
    let home: Household | undefined;
    while (!isOver(minutes(), record)) {
      const { name, act } = deal();
      try {
        home ??= await newHousehold(service.url, record, operator);
        await act(home);
        record.did(name);
      } catch (error) {
        record.fault(name, home?.client.lastRoute ?? "", error instanceof Error ? error.message : String(error));
        // What is true there is no longer known.
        home = undefined;
      }
      await sleep(random(MAX_PAUSE_MS));
    }
  };
  await Promise.all(Array.from({ length: households }, live));
  // Nothing of what a soak does is an error of the service's own.
  for (const line of readFileSync(service.logFile, "utf8").split("\n"))
    if (Number(/^\{"level":(\d+)/.exec(line)?.[1]) >= ERROR_LEVEL || /^\w*Error: |unhandled/i.test(line))
      record.fault("the service's log", "", line);
  return { record, isFlat: memory.isFlat() };
}

/** An account with a large document, and a browser that is signed in to it. */
async function prepare(service: RunningService, operator: Operator, entries: number): Promise<Prey> {
  const password = randomBytes(12).toString("base64url");
  const hoarder = await operator.tell("createUser", `s${newId().slice(0, 15)}`, password);
  const document = largeDocument(hoarder.username, "many", entries * BYTES_OF_ENTRY);
  await operator.tell("importDocument", hoarder, await textOf(document));
  const cookies = await signInByPassword(service.url, hoarder.username, password);
  return {
    origin: service.url,
    hoarder: { cookies, entries },
    actions: {
      remove: actionId("remove", "/files/"),
      enter: actionId("continueWithCode"),
      strangers: actionId("createAccount"),
      members: actionId("create", "/keys/"),
    },
  };
}

/** `stop` answers how each attack ended, and how often. */
async function startAttackers(prey: Prey): Promise<{ stop(): Promise<Tally> }> {
  const child = fork(await bundled("tests/soak/attackers-process.ts"), [], { execArgv: [] });
  child.send({ prey, clients: ATTACKERS } satisfies Attackers);
  return {
    async stop() {
      const told = once(child, "message");
      child.send("stop");
      const [tally] = await told;
      return tally as Tally;
    },
  };
}
