import {
  auditCodeRequests,
  countLinkStates,
  countOutcomes,
  firstCodeSince,
  outcomesCountedTo,
} from "@/lib/link/operator";
import { APPROVE_WITHIN_SECONDS } from "@/lib/link/states";
import { ACCESSES } from "@/lib/platform/access";
import { type AuditEntry, auditEvents } from "@/lib/platform/audit";
import { durationInWords } from "@/lib/platform/bounds";
import { db, sql } from "@/lib/platform/db/client";
import { insert } from "@/lib/platform/db/statement";
import { pace } from "@/lib/platform/event-loop";
import { gauge } from "@/lib/platform/metrics";
import { DAY_MS, HOUR_MS, later, startOfDay, startOfHour } from "@/lib/platform/time";
import { matchingEvents } from "../audit/export";
import { cached } from "./cached";
import { type Measurement, someDocuments, someKeys, someUsers } from "./queries";

/** Numbers are kept for so long. */
export const MAX_DAYS = 30;

/** What happened in an hour in which nothing did; codes count in the hour in which they were asked for. */
export const NOTHING = { signIns: 0, signUps: 0, asked: 0, linked: 0, denied: 0, expired: 0 };

/**
 * Records what no other table tells for long: what happened in the hours that are over and settled, and what is stored
 * now. Returns what happened in the hours since. However late it comes and however many processes do it at once, every
 * hour is recorded once, as long as it comes before the sweep of codes.
 */
export async function recordHours(now: Date): Promise<Measurement[]> {
  const open = await countHours(now);
  await sql.batch([
    insert("Measurement", rowsOf(startOfHour(now), await countStored()), { unique: ["at", "name"], set: ["value"] }),
  ]);
  await db.measurement.deleteMany({ where: { at: { lt: firstHour(now) } } });
  return open;
}

const firstHour = (now: Date) => later(startOfDay(now), (1 - MAX_DAYS) * DAY_MS);

const rowsOf = (at: Date, numbers: Record<string, number>): Measurement[] =>
  Object.entries(numbers).map(([name, value]) => ({ name, at, value }));

async function countHours(now: Date): Promise<Measurement[]> {
  const last = await db.measurement.findFirst({
    where: { name: { in: Object.keys(NOTHING) }, at: { gte: firstHour(now), lte: now } },
    orderBy: { at: "desc" },
  });
  const from = last ? later(last.at, HOUR_MS) : firstHour(now);
  const [signs, firstCode] = [await countSigns(from), await firstCodeSince(from)];
  const open: Measurement[] = [];
  for (let hour = from; hour <= now; hour = later(hour, HOUR_MS)) {
    const end = later(hour, HOUR_MS);
    const links = firstCode && firstCode < end ? await countOutcomes(hour, now) : undefined;
    const rows = rowsOf(hour, { ...NOTHING, ...signs.get(hour.getTime()), ...links }).filter(({ value }) => value > 0);
    if (end > outcomesCountedTo(now)) open.push(...rows);
    else if (rows.length > 0) await record(rows, links?.asked ? await auditCodeRequests(hour, now) : []);
  }
  return open;
}

/** Records an hour for good, and the networks that asked for codes in it, unless another process did. */
async function record(rows: Measurement[], requests: AuditEntry[]): Promise<void> {
  await sql.write(async (tx) => {
    if ((await tx.write(insert("Measurement", rows, { unique: ["at", "name"], set: [] }))) === 0) return;
    if (requests.length > 0) await tx.write(auditEvents(...requests));
  });
}

const SIGNED: Record<string, "signIns" | "signUps"> = { "user.signin": "signIns", "user.create": "signUps" };

/** Sign-ins and sign-ups from this time on, by the beginnings of their hours. */
async function countSigns(since: Date): Promise<Map<number, { signIns: number; signUps: number }>> {
  const hours = new Map<number, { signIns: number; signUps: number }>();
  for await (const events of matchingEvents({ actions: Object.keys(SIGNED), since }))
    for (const { at, action } of events) {
      const hour = startOfHour(at).getTime();
      const counts = hours.get(hour) ?? { signIns: 0, signUps: 0 };
      hours.set(hour, counts);
      counts[SIGNED[action] ?? "signIns"]++;
    }
  return hours;
}

/** Counted with one statement: on SQLite, others wait for it. */
const AT_ONCE = 2_000;

/** Counts what is stored now, in small steps; bytes as quotas count them. */
async function countStored() {
  const [users, keys, documents] = [await total(someUsers), await total(someKeys), await total(someDocuments)];
  return { users: users.rows, keys: keys.rows, keyBytes: keys.sum, fileBytes: documents.sum };
}

/** Adds up a table, step by step. */
async function total(some: typeof someUsers): Promise<{ rows: number; sum: number }> {
  const added = { rows: 0, sum: 0 };
  const others = pace();
  for (let after = ""; ; ) {
    const [step] = await sql.read(some(after, AT_ONCE));
    added.rows += step?.rows ?? 0;
    added.sum += step?.sum ?? 0;
    if (!step || step.last === null || step.count < AT_ONCE) return added;
    after = step.last;
    await others();
  }
}

const countAll = async () => ({
  ...(await countStored()),
  passkeys: await db.passkey.count(),
  claims: await db.claim.count(),
  // Also ended ones that are still listed.
  tokens: await db.accessToken.groupBy({ by: ["access"], _count: true }),
});
const stored = cached("what is stored", countAll);

type Measured = [labels: { in?: string; access?: string }, value: number];

/** Declares the metrics that are read from the database. */
export function measureStored(): void {
  const period = durationInWords(APPROVE_WITHIN_SECONDS);
  gauge(
    "latchkey_link_requests",
    { help: `Requests of the last ${period} to link a program, by state`, labelNames: ["state"] },
    async () => Object.entries(await countLinkStates()).map(([state, count]) => [{ state }, count]),
  );
  const gaugeOf = (name: string, help: string, read: (all: Awaited<ReturnType<typeof countAll>>) => Measured[]) =>
    gauge(name, { help, labelNames: ["in", "access"] }, async () => read((await stored.now()).value));
  gaugeOf("latchkey_stored_bytes", "Bytes that users have stored, as their quotas count them", (all) => [
    [{ in: "keys" }, all.keyBytes],
    [{ in: "files" }, all.fileBytes],
  ]);
  gaugeOf("latchkey_tokens", "Tokens by access; account: one for each account", ({ users, tokens }) => [
    [{ access: "account" }, users],
    ...ACCESSES.map((access): Measured => [{ access }, tokens.find((one) => one.access === access)?._count ?? 0]),
  ]);
  gaugeOf("latchkey_passkeys", "Passkeys of all accounts", ({ passkeys }) => [[{}, passkeys]]);
  gaugeOf("latchkey_claims", "Times that a key was accepted with a claim link", ({ claims }) => [[{}, claims]]);
  gaugeOf("latchkey_users", "Accounts", ({ users }) => [[{}, users]]);
}
