import type { Access } from "@/lib/platform/access";
import { audit } from "@/lib/platform/audit";
import { mintAccessToken, openAccessToken, sealAccessToken } from "@/lib/platform/crypto/tokens";
import { type Statements, transaction } from "@/lib/platform/db/client";
import { lockUser } from "@/lib/platform/db/lock";
import { ApiError, invalidParameter } from "@/lib/platform/errors";
import { newId } from "@/lib/platform/ids";
import { keepResult, type NamedRequest, once } from "@/lib/platform/requests/results";
import { DAY_MS } from "@/lib/platform/time";
import type { Prisma } from "@/prisma/generated/sqlite/client";
import type { ActorContext } from "../../context";
import { accountDisabled } from "../../errors";
import { AUDIENCE_RULE, audienceNamed, isAudience, isName, NAME_RULE, nameKey, nextFreeName } from "../names";
import { type Proving, partyNamed, provingColumns } from "./audiences";
import { DEFAULT_IDLE_DAYS } from "./use";

/** How many a user can have. */
const MAX_TOKENS = 1_000;
const idleDays = DEFAULT_IDLE_DAYS;

/** What a new token may do, and for how many days; null: without end. */
export interface Grant {
  access: Access;
  days: number | null;
}

/**
 * Creates a token for a program and returns it: only its hash is stored, so this is the only time that it can be shown,
 * except that the same `request` of the user gets the same token. It proves who its user is to `audience`, or to what
 * has its name. Throws 400 `invalid_parameter` for a name or an audience that cannot be shown, 403 `token_limit` and
 * `account_disabled`, and 409 `token_name_taken`.
 */
export async function createToken(
  userId: string,
  fields: Grant & { name: string; audience?: string },
  { actorId = userId, now = new Date(), request }: ActorContext & { request?: NamedRequest } = {},
): Promise<{ id: string; name: string; token: string; expiresAt: Date | null }> {
  const user = { id: userId, request };
  const { result, isRepeat } = await once(user, () => storeToken(user, fields, { actorId, now }), now);
  const { id, name, token, expiresAt } = result;
  const text = isRepeat ? openAccessToken(token, id) : token;
  return { id, name, token: text, expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}

/** What is stored of a token, for a day, so that a repeat of its request shows it again. */
interface CreatedToken {
  id: string;
  name: string;
  /** Stored sealed. */
  token: string;
  expiresAt: string | null;
}

async function storeToken(
  { id: userId, request }: { id: string; request?: NamedRequest },
  { name: input, access, days, audience: server }: Grant & { name: string; audience?: string },
  { actorId, now }: { actorId: string; now: Date },
): Promise<CreatedToken> {
  const name = input.trim();
  if (!isName(name)) throw invalidParameter(`The name ${NAME_RULE}.`, "name");
  const audience = server?.trim() || audienceNamed(name);
  if (!isAudience(audience)) throw invalidParameter(`The audience ${AUDIENCE_RULE}.`, "audience");
  const { token, hash } = mintAccessToken();
  const id = newId();
  const expiresAt = endAfter(days, now);
  const result = { id, name, token, expiresAt: expiresAt?.toISOString() ?? null };
  await transaction(async (tx) => {
    if ((await namesInUse(tx, userId)).has(nameKey(name)))
      throw new ApiError(409, "token_name_taken", "There is already a token with this name.", { field: "name" });
    const proving = { audiences: [audience], party: partyNamed(name) };
    const row = { id, userId, name, access, hash, expiresAt, startsAt: now };
    await insertToken(tx, row, { proving, actorId, now });
    if (!request) return;
    const stored = { ...result, token: sealAccessToken(token, id) };
    await keepResult(tx, { id: userId, request }, { result: stored, at: now });
  });
  return result;
}

/** What a link's approval creates a token for: a program. */
interface LinkedToken {
  /** The link's. */
  id: string;
  name: string;
  program: string;
  network: string;
  grant: Grant;
  proving: Proving;
  sealedUntil: Date;
  now: Date;
}

/**
 * The same for the program of an approved link, whose id the token gets: worthless until `startToken`. Its name is the
 * next free one. Returns it sealed, for the link to store until then.
 */
export async function prepareToken(
  tx: Statements,
  userId: string,
  { id, name: requestedName, program, network, grant: { access, days }, proving, sealedUntil, now }: LinkedToken,
): Promise<string> {
  const { token, hash } = mintAccessToken();
  const name = nextFreeName(requestedName, await namesInUse(tx, userId));
  const row = { id, userId, name, access, hash, expiresAt: endAfter(days, now), sealedUntil, program, network };
  await insertToken(tx, row, { proving, actorId: userId, now });
  return sealAccessToken(token, id);
}

type TokenRow = Omit<Prisma.AccessTokenUncheckedCreateInput, "nameKey" | "createdAt" | "idleDays"> & { id: string };

/** Inserts a token that proves its user to these audiences, and records that. */
async function insertToken(
  tx: Statements,
  row: TokenRow,
  { proving, actorId, now }: { proving: Proving; actorId: string; now: Date },
): Promise<void> {
  const { id, name, access } = row;
  await tx.accessToken.create({
    data: { ...row, nameKey: nameKey(name), createdAt: now, idleDays, ...provingColumns(proving) },
  });
  const [audience] = proving.audiences;
  const detail = { name, access, ...(audience !== undefined && { audience }) };
  await audit({ at: now, action: "token.create", subjectId: id, actorId, detail }, tx);
}

/** Locks the user, so that no other token is created until the commit. */
async function namesInUse(tx: Statements, userId: string): Promise<Set<string>> {
  await lockUser(tx, userId);
  const user = await tx.user.findUnique({ where: { id: userId }, select: { disabledAt: true } });
  if (!user || user.disabledAt) throw accountDisabled();
  const tokens = await tx.accessToken.findMany({ where: { userId }, select: { nameKey: true } });
  if (tokens.length >= MAX_TOKENS)
    throw new ApiError(403, "token_limit", `A user can have ${MAX_TOKENS} tokens at most. Remove one first.`);
  return new Set(tokens.map((token) => token.nameKey));
}

function endAfter(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() + days * DAY_MS);
}
