import { headers } from "next/headers";
import { currentUser, type SignedIn } from "@/lib/auth/session";
import { ApiError } from "@/lib/errors";
import { refusalOf } from "@/lib/http/refusal";
import { requireOurOrigin } from "./our-origin";
import { SIGNED_OUT } from "./signed-out";

/** Why an action did nothing, and at which field of the form that belongs, where it is one. */
export interface Failure {
  error: string;
  field?: string;
}

/** What an action answers to its page. */
export type Outcome<T> = { ok: T } | Failure;

/** Refusals of what was sent: bad, unknown, or in the way of something. */
const ABOUT_WHAT_WAS_SENT = [400, 404, 409];

/**
 * Does the work of an action that a page of ours asked for. A refusal answers its sentence, and so does a database that is full or away; any other fault answers a calm one. Faults are
 * logged. `onlyField` is what a form asks for that has no other field: what is refused for what was sent speaks of it.
 */
export async function outcome<T>(work: () => Promise<T>, onlyField?: string): Promise<Outcome<T>> {
  try {
    requireOurOrigin(await headers());
    return { ok: await work() };
  } catch (thrown) {
    const { message, field, status } = refusalOf(thrown, "an action failed");
    return { error: message, field: field ?? (ABOUT_WHAT_WAS_SENT.includes(status) ? onlyField : undefined) };
  }
}

/** Who acts. Throws 401 `signed_out`. */
export async function actor(): Promise<SignedIn> {
  const user = await currentUser();
  if (!user) throw new ApiError(401, "signed_out", SIGNED_OUT);
  return user;
}
