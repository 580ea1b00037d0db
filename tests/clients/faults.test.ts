import { randomInt } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { beforeAll, expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { approve } from "@/tests/contract/link";
import { chunks, file, idOf, root, values } from "@/tests/support/documents";
import { ask, origin } from "@/tests/support/http";
import { sized } from "@/tests/support/size";
import { makeUsers, type TestUser } from "@/tests/support/user";
import { CLIENTS, type Client, type Outcome, shortenPauses } from "./clients";
import { FAULTS, type Fault, faultyWay } from "./servers";

const WORKERS = 8;
const RUNS = sized(40, 1_000);
/** Errors after which a client has tried in vain, and says so. */
const GAVE_UP = ["NoAnswer", "NoResponse", "RateLimited", "Unavailable", "OutcomeUnknown"];

beforeAll(shortenPauses);

let faults = 0;
/** A third of all requests meets a fault, of each kind in turn. */
function nextFault({ url = "" }: IncomingMessage): Fault {
  if (randomInt(3) > 0) return { kind: "none" };
  const kind = FAULTS[faults % FAULTS.length] ?? "none";
  faults++;
  if (kind === "delayed") return { kind, ms: randomInt(200) };
  if (kind === "status") return { kind, status: randomInt(2) ? 429 : 503 };
  if (kind === "cut") return { kind, after: randomInt(1, url.startsWith("/read-files") ? 100_000 : 200) };
  return { kind };
}

/** What one user did, and what of it must be there, or may be. */
class Ledger {
  /** The data of each key that was acknowledged; several if a change of it may have been made. */
  readonly keys = new Map<string, Set<string>>();
  readonly gone = new Set<string>();
  /** Whether the friend holds a key, where that was acknowledged. */
  readonly shared = new Map<string, boolean>();
  /** The data of keys that may have been created. */
  readonly maybe = new Set<string>();
  gaveUp = 0;

  constructor(
    readonly user: TestUser,
    readonly friend: TestUser,
    readonly client: Client,
    readonly texts: string[],
  ) {}

  async call(method: string, given: object = {}): Promise<Outcome> {
    const outcome = await this.client.call(method, given, this.user.token);
    this.judge(outcome);
    return outcome;
  }

  async share(key: string, isHeld: boolean): Promise<void> {
    const { username } = this.friend;
    const { answer } = isHeld
      ? await this.call("keys.admin_add", { key, username })
      : await this.call("keys.revoke", { key, user: username });
    if (answer) this.shared.set(key, isHeld);
    else this.shared.delete(key);
  }

  judge({ error }: Outcome): void {
    if (!error) return;
    expect(GAVE_UP, error.join(" ")).toContain(error[0]);
    this.gaveUp++;
  }
}

type Act = (ledger: Ledger, run: number, key: string) => Promise<void>;
const ACTS: Act[] = [
  async function create(ledger, run) {
    const data = `created in run ${run}`;
    const { answer, error } = await ledger.call("keys.create", { data, price: 1 });
    if (answer) ledger.keys.set((answer as { key: string }).key, new Set([data]));
    if (error?.[0] === "OutcomeUnknown") ledger.maybe.add(data);
  },
  async function update(ledger, run, key) {
    const data = `changed in run ${run}`;
    const { answer } = await ledger.call("keys.update", { key, data });
    ledger.keys.set(key, answer ? new Set([data]) : new Set([...(ledger.keys.get(key) ?? []), data]));
  },
  async function remove(ledger, _, key) {
    const { answer } = await ledger.call("keys.delete", { key });
    ledger.gone.add(key);
    if (answer) ledger.keys.delete(key);
  },
  (ledger, _, key) => ledger.share(key, true),
  (ledger, _, key) => ledger.share(key, false),
  async function get(ledger, _, key) {
    const { answer } = await ledger.call("keys.get", { key });
    if (answer) expect(ledger.keys.get(key)).toContain((answer as { data: string }).data);
  },
  async function read(ledger) {
    const { answer } = await ledger.call("files.read");
    const [, ...entries] = (answer as { entries: unknown[][] } | undefined)?.entries ?? [];
    if (answer) expect(entries.map((entry) => entry[3])).toEqual(ledger.texts);
  },
  async function link(ledger) {
    const { code } = await ledger.call("link");
    if (!code) return;
    await approve(code[0], ledger.user);
    // Nothing but the token: each step is asked for until it is answered.
    expect(await ledger.client.outcome()).toEqual({ answer: ledger.user.token });
  },
];

/** Files whose contents are no shorter as gzip, so that faults meet them. */
async function storeFiles(user: TestUser): Promise<string[]> {
  const texts = Array.from({ length: 40 }, () =>
    Array.from({ length: 500 }, () => randomInt(2 ** 32).toString(36)).join(),
  );
  const entries = texts.flatMap((text, n) => values(file(user.username, n + 2, text)));
  const ids = texts.map((_, n) => idOf(n + 2));
  await importDocument(user, chunks(JSON.stringify([...values(root(user.username, ids)), ...entries])));
  return texts;
}

/** Compares what is stored with what was acknowledged. */
async function settle({ user, friend, keys, gone, shared, maybe }: Ledger): Promise<void> {
  const { list } = await ask("/keys/mine", { query: { auth: user.token } });
  const records = list as { key: string; data: string; users: object }[];
  const stored = new Map(records.map(({ key, data }) => [key, data]));
  for (const { key, users } of records)
    if (shared.has(key)) expect(friend.username in users, `key ${key}`).toBe(shared.get(key));
  for (const [key, data] of keys)
    if (!gone.has(key) || stored.has(key)) expect([...data], `key ${key}`).toContain(stored.get(key));
  const others = [...stored].filter(([key]) => !keys.has(key)).map(([, data]) => data);
  expect(others.filter((data) => !maybe.has(data))).toEqual([]);
  expect(new Set(others).size).toBe(others.length);
}

test.each(["python", "typescript"] as const)(
  `in %s, nothing is lost or doubled in ${RUNS} runs over a bad connection`,
  async (language) => {
    using way = await faultyWay(origin, nextFault);
    const [users, friends] = [await makeUsers(WORKERS), await makeUsers(WORKERS)];
    let run = 0;
    const work = async (user: TestUser, n: number): Promise<Ledger> => {
      using client = new CLIENTS[language](way.url);
      const ledger = new Ledger(user, friends[n] as TestUser, client, await storeFiles(user));
      while (run++ < RUNS) {
        const known = [...ledger.keys.keys()].filter((key) => !ledger.gone.has(key));
        const act = known.length === 0 ? ACTS[0] : ACTS[randomInt(ACTS.length)];
        await act?.(ledger, run, known.at(run % known.length || 0) ?? "");
      }
      return ledger;
    };
    const ledgers = await Promise.all(users.map(work));
    for (const ledger of ledgers) await settle(ledger);
    for (const kind of FAULTS) expect(way.counts.get(kind), kind).toBeGreaterThan(0);
    // A client hardly ever gives up.
    expect(ledgers.reduce((sum, ledger) => sum + ledger.gaveUp, 0)).toBeLessThan(5 + RUNS / 20);
  },
);
