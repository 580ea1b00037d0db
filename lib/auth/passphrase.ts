import { invalidParameter } from "@/lib/errors";
import { isCommonPassword } from "./common-passwords";

/** Longer than a password's: who has the backup may guess for years, with nothing in the way but its cost. */
const SHORTEST = 12;
const LONGEST = 1_000;

/** Checks the length of a new passphrase, and that it is not a common password. Throws 400 `invalid_parameter`. */
export async function checkPassphrase(passphrase: string): Promise<void> {
  const length = [...passphrase].length;
  if (length < SHORTEST)
    throw invalidParameter(`A passphrase needs at least ${SHORTEST} characters: several words are best.`);
  if (length > LONGEST) throw invalidParameter(`A passphrase can have ${LONGEST} characters at most.`);
  if (await isCommonPassword(passphrase))
    throw invalidParameter("That is one of the most common passwords, so it is easy to guess. Choose another.");
}
