import { audit } from "@/lib/audit";
import { provePassword } from "@/lib/auth/authenticate";
import { db, type Statements, transaction } from "@/lib/db/client";
import { lockSession } from "@/lib/db/lock";
import { ApiError, signedOut } from "@/lib/errors";
import type { Network } from "@/lib/network";
import { countGuess } from "@/lib/one-time-links/guesses";
import { RECOVERY_CODES } from "@/lib/stated-bounds";
import { usernameKey } from "@/lib/usernames";
import { hashRecoveryCode, LONGEST_TYPED, newRecoveryCode } from "./code";

/**
 * Gives the signed-in user ten new codes, which end all earlier ones, and returns them: only their hashes are stored.
 * A code can replace the password, so it takes the password, or another recent proof, to get some. Throws 401
 * `signed_out`, and as `provePassword` does.
 */
export async function createRecoveryCodes(
  user: { id: string; username: string; sessionId: string },
  password: string,
  network: Network,
  now = new Date(),
): Promise<string[]> {
  await provePassword(user, password, network, now);
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

/** An unknown name, a wrong or used code, and a disabled account get the same answer after the same work. */
export const wrongCode = () =>
  new ApiError(401, "wrong_code", "The username or the code is wrong, or the code was used already.", {}, "code");

/** Whose code this is; changes nothing. Throws 401 `wrong_code` and 429 `rate_limited`. */
export async function findCodeOwner(
  username: string,
  code: string,
  network: Network,
): Promise<{ id: string; username: string; through: "code" }> {
  const key = usernameKey(username);
  const guess = await countGuess(network, key);
  if (code.length > LONGEST_TYPED) throw wrongCode();
  // By the code, so that a wrong one costs the same whether the name exists or not.
  const found = await db.recoveryCode.findUnique({
    where: { hash: hashRecoveryCode(code) },
    select: { user: { select: { id: true, username: true, usernameKey: true, disabledAt: true } } },
  });
  if (found?.user.usernameKey !== key || found.user.disabledAt) throw wrongCode();
  await guess.giveBack();
  return { id: found.user.id, username: found.user.username, through: "code" };
}

/** Uses a user's code up. False if it is not there, or no longer. */
export async function spendCode(tx: Statements, userId: string, code: string): Promise<boolean> {
  return (await tx.recoveryCode.deleteMany({ where: { hash: hashRecoveryCode(code), userId } })).count === 1;
}
