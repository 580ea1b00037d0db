import { currentUser, type SignedIn } from "@/lib/auth/session";
import { ApiError } from "@/lib/errors";
import { log } from "@/lib/log";
import { SIGNED_OUT } from "./signed-out";

/** What an action answers to its page. */
export type Outcome<T> = { ok: T } | { error: string };

/** Does the work of an action. A refusal answers its sentence, a fault is logged and answers a calm one. */
export async function outcome<T>(work: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: await work() };
  } catch (error) {
    if (error instanceof ApiError) return { error: error.message };
    log.error({ err: error }, "an action failed");
    return { error: "Something went wrong on our side. Try again in a moment." };
  }
}

/** Who acts. Throws 401 `signed_out`. */
export async function actor(): Promise<SignedIn> {
  const user = await currentUser();
  if (!user) throw new ApiError(401, "signed_out", SIGNED_OUT);
  return user;
}
