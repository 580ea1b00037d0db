import { createHmac, randomBytes } from "node:crypto";
import { encode } from "uqr";
import { z } from "zod";
import type { Caller } from "@/lib/accounts/identity/user";
import { hashSecret } from "@/lib/accounts/ways-in/one-time-link";
import { auditEvents, by } from "@/lib/platform/audit";
import { MAX_LINKS } from "@/lib/platform/bounds";
import { seal, unseal } from "@/lib/platform/crypto/secrets";
import { csvLine } from "@/lib/platform/csv";
import { sql } from "@/lib/platform/db/client";
import { rowLock } from "@/lib/platform/db/lock";
import { insert } from "@/lib/platform/db/statement";
import { newId } from "@/lib/platform/ids";
import { once, writeResult } from "@/lib/platform/requests/results";
import { DAY_MS } from "@/lib/platform/time";
import { keyNotFound, notCreator } from "../errors";
import { requireClaimLinkQuota } from "../limits";
import { type KeyRow, sizedKey } from "../queries";
import { textUpTo } from "../schema";

/** For how long links can be used. */
const MAX_OPEN_DAYS = 3_650;
/** For how long access can last. */
const MAX_ACCESS_DAYS = 36_500;
const NOTE_LENGTH = 100;
const ROWS_AT_ONCE = 500;

const wholeNumber = (max: number) => {
  const sentence = `must be a whole number from 1 to ${max.toLocaleString("en")}`;
  return z.coerce.number(sentence).int(sentence).min(1, sentence).max(max, sentence);
};

/** What links shall be like. Whole numbers may be written as text. */
export const claimLinkOptions = z.object({
  links: wholeNumber(MAX_LINKS),
  /** How many may claim with each link. */
  most: wholeNumber(MAX_LINKS),
  /** For how many days access lasts after claiming; null: without an end. */
  days: wholeNumber(MAX_ACCESS_DAYS).nullable(),
  /** For how many days the links can be used. */
  openDays: wholeNumber(MAX_OPEN_DAYS),
  /** For the key's manager. */
  note: textUpTo(NOTE_LENGTH),
});

export type ClaimLinkOptions = z.infer<typeof claimLinkOptions>;

interface NewLinks {
  /** Shown once: only hashes are stored. */
  links: string[];
  expiresAt: Date;
}

/**
 * Creates links with which people get the key, for its creator; `origin` is the address that people open. `actorId`:
 * the operator, on the creator's behalf. Throws 403 `not_creator`, also for an admin, who could give itself what its
 * role does not show, and `claim_limit`; 404 `key_not_found` if the key was deleted meanwhile. The same request of the
 * caller gets the same links.
 */
export async function createClaimLinks(
  caller: Caller,
  row: KeyRow,
  options: ClaimLinkOptions & { origin: string; actorId?: string },
): Promise<NewLinks> {
  const { result, isRepeat } = await once(caller, () => createBatch(caller, row, options));
  const seed = isRepeat ? unseal("claim links", result.seed, caller.id) : result.seed;
  const secrets = secretsFrom(seed, options.links);
  return { links: secrets.map((secret) => `${options.origin}/claim#${secret}`), expiresAt: new Date(result.expiresAt) };
}

/** What is stored of a batch, for a day, so that a repeat of its request shows its links again. */
interface CreatedBatch {
  /**
   * The links' secrets come from it. So it is short, however many they are. It is random, and stored sealed: once it is
   * deleted, not even AUTH_SECRET gets them back, and they do not change when that is replaced.
   */
  seed: string;
  expiresAt: string;
}

const secretsFrom = (seed: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => createHmac("sha256", seed).update(String(n)).digest("base64url"));

async function createBatch(
  caller: Caller,
  row: KeyRow,
  options: ClaimLinkOptions & { actorId?: string },
): Promise<CreatedBatch> {
  if (caller.id !== row.creatorId) throw notCreator();
  const now = new Date();
  const expiresAt = new Date(now.getTime() + options.openDays * DAY_MS);
  const seed = randomBytes(32).toString("base64url");
  const secrets = secretsFrom(seed, options.links);
  const result = { seed, expiresAt: expiresAt.toISOString() };
  const batchId = newId();
  const { links, most, days, note, actorId = caller.id } = options;
  await sql.write(async (tx) => {
    if ((await tx.write(rowLock.key(row.id))) === 0 || !(await tx.read(sizedKey(row)))[0]) throw keyNotFound();
    await tx.write(rowLock.user(row.creatorId));
    await requireClaimLinkQuota(tx, row.creatorId, links);
    const batch = { id: batchId, keyId: row.id, note, links, most, claimed: 0, days, createdAt: now, expiresAt };
    await tx.write(insert("ClaimBatch", batch));
    for (let from = 0; from < links; from += ROWS_AT_ONCE) {
      const some = secrets.slice(from, from + ROWS_AT_ONCE);
      const rows = some.map((secret, n) => ({ hash: hashSecret(secret), batchId, number: from + n + 1, claimed: 0 }));
      await tx.write(insert("ClaimLink", rows));
    }
    const detail = {
      links: String(links),
      most: String(most),
      ...(days !== null && { days: String(days) }),
      ...(note !== "" && { note }),
    };
    const who = actorId === caller.id ? by(caller, detail) : { actorId, detail };
    await tx.write(auditEvents({ at: now, action: "claim.create", subjectId: row.id, ...who }));
    if (!caller.request) return;
    await writeResult(tx, caller, { result: { ...result, seed: seal("claim links", seed, caller.id) }, at: now });
  });
  return result;
}

/** New links as their creator sees them, this once: all as CSV, and the first, also as a QR code. */
export interface ShownLinks {
  count: number;
  first: string;
  /** The path of its dark modules, and the length of a side. */
  qr: { path: string; size: number };
  csv: string;
}

export function shownLinks(created: NewLinks, note: string): ShownLinks {
  const [first = ""] = created.links;
  const { data, size } = encode(first, { border: 3 });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return { count: created.links.length, first, qr: { path, size }, csv: claimsCsv(created, note) };
}

/** New links as CSV with a head, for a shop to hand out. */
export function claimsCsv({ links, expiresAt }: NewLinks, note: string): string {
  const lines = links.map((link, n) => csvLine([String(n + 1), link, note, expiresAt.toISOString()]));
  return csvLine(["number", "link", "note", "expires"]) + lines.join("");
}
