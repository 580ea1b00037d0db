import { currentUser, type SignedIn } from "@/lib/auth/session";
import { ApiError } from "@/lib/errors";
import { refusalOf } from "@/lib/http/refusal";
import { SIGNED_OUT } from "./signed-out";

/** What an action answers to its page. */
export type Outcome<T> = { ok: T } | { error: string };

/** Does the work of an action. A refusal answers its sentence, and so does a database that is full or away; any other fault answers a calm one. Faults are logged. */
export async function outcome<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: await work() };
  } catch (thrown) {
    return { error: refusalOf(thrown, "an action failed").message };
  }
}

/** Who acts. Throws 401 `signed_out`. */
export async function actor(): Promise<SignedIn> {
  const user = await currentUser();
  if (!user) throw new ApiError(401, "signed_out", SIGNED_OUT);
  return user;
}
