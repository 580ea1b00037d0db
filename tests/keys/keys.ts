import { vi } from "vitest";
import type { Caller } from "@/lib/accounts/identity/user";
import { findKey } from "@/lib/keys/access";
import { holdingOf } from "@/lib/keys/check";
import { acceptClaim } from "@/lib/keys/claims/accept";
import { type ClaimLinkOptions, createClaimLinks } from "@/lib/keys/claims/create";
import { createKey } from "@/lib/keys/create";
import { addHolder } from "@/lib/keys/grant";
import { trailOf } from "@/lib/keys/history";
import { keysOf } from "@/lib/keys/mine";
import { revokeHolder } from "@/lib/keys/revoke";
import type { AccessEnd } from "@/lib/keys/until";
import { db } from "@/lib/platform/db/client";
import { isUnavailable } from "@/lib/platform/db/errors";
import { newId } from "@/lib/platform/ids";
import { newNetwork } from "@/tests/support/request";
import { makeUser, makeUsers, type TestUser } from "@/tests/support/user";

export type Person = Caller & TestUser;
export type People = [Person, Person, Person, Person, ...Person[]];
type Named = { username: string };

export const people = async (count: number) =>
  (await makeUsers(count)).map((user) => ({ ...user, role: "user" })) as People;
export const person = async () => (await people(1))[0];
export const makeAdmin = async (): Promise<Person> => ({ ...(await makeUser({ role: "admin" })), role: "admin" });

export const newKey = async (creator: Caller, set: { data?: string; price?: string; name?: string } = {}) =>
  (await createKey(creator, { data: "secret", price: "1", name: "Pro licence", ...set })).id;
export const add = async (giver: Caller, key: string, { username, end }: Named & { end?: AccessEnd }) =>
  addHolder(giver, await findKey(giver, key), { username, end });
export const revoke = async (caller: Caller, key: string, from: Named) =>
  revokeHolder(caller, await findKey(caller, key), from.username);
export const holdsKey = async (username: string, key: string) => (await holdingOf(username, key)) !== null;
export const trail = async (caller: Caller, key: string) => trailOf(caller, await findKey(caller, key), { limit: 20 });

export const ONE_LINK: ClaimLinkOptions = { links: 1, most: 1, days: null, openDays: 30, note: "" };
export async function claimLinks(
  creator: Caller,
  key: string,
  options: Partial<ClaimLinkOptions> = {},
): Promise<string[]> {
  const row = await findKey(creator, key);
  const { links } = await createClaimLinks(creator, row, { ...ONE_LINK, ...options, origin: "https://k.example" });
  return links.map((link) => link.split("#")[1] ?? "");
}
export const claim = (caller: Caller, secret = "") => acceptClaim(caller, secret, newNetwork());

export async function heldBy(viewer: Caller, limit?: number): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of (await keysOf(viewer, { limit })).pages) keys.push(...page.map(({ id }) => id));
  return keys;
}

/** Does it again as long as the database is too busy: of many at once, the last may wait too long for a connection. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
}

/** Does it at another time. Timers and the databases' clocks go on. */
export async function at<T>(time: number, work: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ now: time, toFake: ["Date"] });
  try {
    return await work();
  } finally {
    vi.useRealTimers();
  }
}

interface Owner {
  id: string;
}

/**
 * Keys of `creator` that `holder` holds, three of the same millisecond, and their ids, oldest first. Written as rows:
 * making 10,000 one by one would take long.
 */
export async function makeKeys(
  creator: Owner,
  holder: Owner,
  { count, data = "data" }: { count: number; data?: string },
): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += 500) {
    const rows = Array.from({ length: Math.min(500, count - from) }, (_, index) => {
      const at = new Date(1_700_000_000_000 + Math.floor((from + index) / 3));
      const size = { data, dataBytes: Buffer.byteLength(data) };
      return { id: newId(), creatorId: creator.id, name: "", ...size, price: "1", createdAt: at, updatedAt: at };
    });
    const held = rows.map(({ id, createdAt }) => ({
      keyId: id,
      userId: holder.id,
      since: createdAt,
      keyCreatedAt: createdAt,
    }));
    await db.$transaction([db.key.createMany({ data: rows }), db.holder.createMany({ data: held })]);
    ids.push(...rows.map(({ id }) => id));
  }
  return ids;
}
