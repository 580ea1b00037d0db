import { createHash, randomBytes } from "node:crypto";
import { audit } from "@/lib/platform/audit";
import { RECOVERY_CODES } from "@/lib/platform/bounds";
import { db, type Statements, transaction } from "@/lib/platform/db/client";
import { lockSession } from "@/lib/platform/db/lock";
import { ApiError } from "@/lib/platform/errors";
import type { NetworkContext } from "../../context";
import { signedOut } from "../../errors";
import { usernameKey } from "../../identity/user";
import type { InSession } from "../../session/sessions";
import { provePassword } from "../confirm";
import { countGuess } from "../limits";

/** Crockford's base 32: no letter looks like a digit. */
const SIGNS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BYTES = 15;
const GROUP = 4;
/** A longer text is no code, however it is written. */
export const MAX_INPUT = 100;

/** A new code of 120 random bits, in six groups of four. */
export function newRecoveryCode(): string {
  let bits = BigInt(`0x${randomBytes(BYTES).toString("hex")}`);
  let code = "";
  for (let length = 0; length < (BYTES * 8) / 5; length++, bits >>= 5n) {
    const sign = SIGNS[Number(bits & 31n)];
    code += length > 0 && length % GROUP === 0 ? `-${sign}` : sign;
  }
  return code;
}

/** The look-up value of a code as somebody enters it: any case, any separators, and O, I and L for 0 and 1. */
export function hashRecoveryCode(input: string): string {
  const plain = input.toUpperCase().replace(/[^0-9A-Z]/g, "");
  const code = plain.replaceAll("O", "0").replace(/[IL]/g, "1");
  return createHash("sha256").update(code).digest("hex");
}

/**
 * Gives the signed-in user ten new codes, which end all earlier ones, and returns them: only their hashes are stored.
 * A code can replace the password, so it needs the password, or another recent proof, to get some. Throws 401
 * `signed_out`, and as `provePassword` does.
 */
export async function createRecoveryCodes(
  user: InSession & { username: string },
  password: string,
  { network, now = new Date() }: NetworkContext,
): Promise<string[]> {
  await provePassword(user, password, { network, now });
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  await transaction(async (tx) => {
    if (!(await lockSession(tx, user, now))) throw signedOut();
    await tx.recoveryCode.deleteMany({ where: { userId: user.id } });
    const rows = codes.map((code) => ({ hash: hashRecoveryCode(code), userId: user.id, createdAt: now }));
    await tx.recoveryCode.createMany({ data: rows });
    await audit({ at: now, action: "recovery.codes", subjectId: user.id, actorId: user.id }, tx);
  });
  return codes;
}

/** An unknown name, a wrong or used code, and a disabled account get the same response after the same work. */
export const wrongCode = () =>
  new ApiError(401, "wrong_code", "The username or the code is wrong, or the code was used already.", {
    field: "code",
  });

/** Whose code this is; changes nothing. Throws 401 `wrong_code` and 429 `rate_limited`. */
export async function findCodeOwner(
  username: string,
  code: string,
  { network }: NetworkContext,
): Promise<{ id: string; username: string; through: "code" }> {
  const key = usernameKey(username);
  const guess = await countGuess(network, key);
  if (code.length > MAX_INPUT) throw wrongCode();
  // By the code, so that a wrong one costs the same whether the name exists or not.
  const stored = await db.recoveryCode.findUnique({
    where: { hash: hashRecoveryCode(code) },
    select: { user: { select: { id: true, username: true, usernameKey: true, disabledAt: true } } },
  });
  if (stored?.user.usernameKey !== key || stored.user.disabledAt) throw wrongCode();
  await guess.refund();
  return { id: stored.user.id, username: stored.user.username, through: "code" };
}

/** Uses a user's code up. False if it is not there, or no longer. */
export async function consumeCode(tx: Statements, userId: string, code: string): Promise<boolean> {
  return (await tx.recoveryCode.deleteMany({ where: { hash: hashRecoveryCode(code), userId } })).count === 1;
}
