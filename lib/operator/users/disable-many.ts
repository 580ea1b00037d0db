import { OPERATOR } from "@/lib/audit";
import { setDisabled } from "@/lib/auth/standing";
import { ApiError, invalidParameter } from "@/lib/errors";

/** Users per call. */
export const MOST_AT_ONCE = 200;

/** What became of one user: null, or why not. */
export interface ForOne {
  username: string;
  refused: string | null;
}

/**
 * Disables or enables several users, each by itself: one refusal keeps none of the others. Throws 400
 * `invalid_parameter` for more than 200.
 */
export async function setDisabledOfMany(
  usernames: readonly string[],
  disabled: boolean,
  actorId = OPERATOR,
  now = new Date(),
): Promise<ForOne[]> {
  if (usernames.length > MOST_AT_ONCE) throw invalidParameter(`At most ${MOST_AT_ONCE} users can be selected at once.`);
  const results: ForOne[] = [];
  for (const username of new Set(usernames))
    try {
      await setDisabled(username, disabled, actorId, now);
      results.push({ username, refused: null });
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      results.push({ username, refused: thrown.message });
    }
  return results;
}
