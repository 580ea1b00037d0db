import { z } from "zod";
import type { Access } from "@/lib/platform/access";
import { MAX_USERNAME, MIN_USERNAME } from "@/lib/platform/bounds";
import { db, type Statements } from "@/lib/platform/db/client";
import type { NamedRequest } from "@/lib/platform/requests/results";
import type { User } from "@/prisma/generated/sqlite/client";
import { userNotFound } from "../errors";

/** What a username looks like (contract, section 1: username). */
export const USERNAME = new RegExp(`^[A-Za-z0-9_-]{${MIN_USERNAME},${MAX_USERNAME}}$`);

/** The name of a user who may not exist. */
export const username = z.string().min(1, "must name a user").describe("A username, in upper or lower case.");

/** No name is longer than half of it: of a longer text, the rest is not read. */
const MAX_READ = 2 * MAX_USERNAME;

/** Usernames are unique without regard to case. */
export function usernameKey(name: string): string {
  return name.slice(0, MAX_READ).toLowerCase();
}

/** The access token that a request came with. */
export interface TokenInUse {
  id: string;
  name: string;
  access: Access;
  expiresAt: Date | null;
  /** The servers to which it proves who its user is; null: any. */
  audiences: readonly string[] | null;
  /** Who makes its validators, as they say. */
  party: string;
}

/** The calling user, found by token or session. */
export type Caller = Pick<User, "id" | "username" | "role"> & {
  /** Left out for the account's token, and for a session. */
  accessToken?: TokenInUse;
  /** What the caller does takes effect once, as this request. Left out: each time. */
  request?: NamedRequest;
};

/** A caller with a token of a program's own. */
export type TokenCaller = Caller & { accessToken: TokenInUse };

/** The user with this name, in any case of its letters. Throws 404 `user_not_found`. */
export async function findUser(username: string): Promise<Caller> {
  const user = await db.user.findUnique({
    where: { usernameKey: usernameKey(username) },
    select: { id: true, username: true, role: true },
  });
  if (!user) throw userNotFound();
  return user;
}

/** What lists of users filter by, each a bit of `UserSummary.kind`, the sum of what is true of the user. */
export const KIND = { admin: 1, disabled: 2, passwordless: 4 } as const;

/** A username as bytes, which both databases sort and compare alike. */
export const nameBytes = (name: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(usernameKey(name)));

/**
 * Brings the user's row for lists up to date, in the transaction that changed the role, the password or the access. A
 * new row counts nothing yet: the sweep of lib/operator/users/summaries does.
 */
export async function keepKind(tx: Statements, userId: string): Promise<void> {
  const { username, role, disabledAt, passwordHash, createdAt } = await tx.user.findUniqueOrThrow({
    where: { id: userId },
    select: { username: true, role: true, disabledAt: true, passwordHash: true, createdAt: true },
  });
  const kind =
    (role === "admin" ? KIND.admin : 0) +
    (disabledAt === null ? 0 : KIND.disabled) +
    (passwordHash === null ? KIND.passwordless : 0);
  const nothing = { keys: 0, keyBytes: 0, fileBytes: 0, entries: 0, bytes: 0 };
  await tx.userSummary.upsert({
    where: { userId },
    create: { userId, kind, nameKey: nameBytes(username), createdAt, seenAt: createdAt, ...nothing },
    update: { kind },
  });
}

/** A provider's account, as the provider names it. */
export interface ProviderIdentity {
  provider: string;
  accountId: string;
}
