import type { Access } from "@/lib/access";
import { audit } from "@/lib/audit";
import { type Statements, transaction } from "@/lib/db/client";
import { lockUser } from "@/lib/db/lock";
import { ApiError, accountDisabled, invalidParameter } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { mintAccessToken, sealAccessToken } from "@/lib/tokens";
import { isName, NAME_RULE, nameKey, nextFreeName } from "./name";

/** How many a user can have. */
const MOST_TOKENS = 1_000;
const DAY_MS = 24 * 60 * 60 * 1000;

/** What a new token may do, and for how many days; null: without end. */
export interface Grant {
  access: Access;
  days: number | null;
}

/**
 * Creates a token for a program and returns it: only its hash is stored, so this is the only time that it can be shown.
 * Throws 400 `invalid_parameter` for a name that cannot be shown, 403 `token_limit` and `account_disabled`, and 409
 * `token_name_taken`.
 */
export async function createToken(
  userId: string,
  typedName: string,
  { access, days }: Grant,
  actorId = userId,
  now = new Date(),
): Promise<{ id: string; name: string; token: string; expiresAt: Date | null }> {
  const name = typedName.trim();
  if (!isName(name)) throw invalidParameter(`The name ${NAME_RULE}.`, "name");
  const { token, hash } = mintAccessToken();
  const id = newId();
  const expiresAt = endAfter(days, now);
  await transaction(async (tx) => {
    if ((await namesInUse(tx, userId)).has(nameKey(name)))
      throw new ApiError(409, "token_name_taken", "There is already a token with this name.", {}, "name");
    await tx.accessToken.create({
      data: { id, userId, name, nameKey: nameKey(name), access, hash, createdAt: now, expiresAt, startsAt: now },
    });
    await audit({ at: now, action: "token.create", subjectId: id, actorId, detail: { name, access } }, tx);
  });
  return { id, name, token, expiresAt };
}

/** The program that a link's approval creates a token for. */
export interface Receiver {
  name: string;
  program: string;
  network: string;
}

/**
 * The same for the program of an approved link, whose id the token gets: worthless until `startToken`. Takes the next
 * free name. Returns it sealed, for the link to hand out until then.
 */
export async function prepareToken(
  tx: Statements,
  userId: string,
  id: string,
  { name: wanted, program, network }: Receiver,
  { access, days }: Grant,
  now: Date,
  sealedUntil: Date,
): Promise<string> {
  const { token, hash } = mintAccessToken();
  const name = nextFreeName(wanted, await namesInUse(tx, userId));
  await tx.accessToken.create({
    data: {
      id,
      userId,
      name,
      nameKey: nameKey(name),
      access,
      hash,
      createdAt: now,
      expiresAt: endAfter(days, now),
      sealedUntil,
      program,
      network,
    },
  });
  await audit({ at: now, action: "token.create", subjectId: id, actorId: userId, detail: { name, access } }, tx);
  return sealAccessToken(token, id);
}

/** Locks the user, so that no other token is created until the commit. */
async function namesInUse(tx: Statements, userId: string): Promise<Set<string>> {
  await lockUser(tx, userId);
  const user = await tx.user.findUnique({ where: { id: userId }, select: { disabledAt: true } });
  if (!user || user.disabledAt) throw accountDisabled();
  const tokens = await tx.accessToken.findMany({ where: { userId }, select: { nameKey: true } });
  if (tokens.length >= MOST_TOKENS)
    throw new ApiError(403, "token_limit", `A user can have ${MOST_TOKENS} tokens at most. Remove one first.`);
  return new Set(tokens.map((token) => token.nameKey));
}

function endAfter(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() + days * DAY_MS);
}
