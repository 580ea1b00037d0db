import { headers } from "next/headers";
import { currentUser, type SignedIn } from "@/lib/auth/current-user";
import { refusalOf } from "@/lib/http/refusal";
import { requireOurOrigin } from "./our-origin";
import { signedOut } from "./signed-out";

/** Why an action failed, and the form field that it concerns, if it is a single one. */
export interface ActionFailure {
  error: string;
  field?: string;
  /** What is wrong with another field as well. */
  other?: ActionFailure;
}

/** The result of an action for its page. */
export type Outcome<T> = { ok: T } | ActionFailure;

/** Refusals of the input: bad, unknown, or in conflict. */
const ABOUT_WHAT_WAS_SENT = [400, 404, 409];

/**
 * Runs an action requested by one of our pages. A refusal returns its sentence, and so does a full or unavailable
 * database; any other fault returns a generic one. Faults are logged. `onlyField`: the only field of a form; refusals
 * of the input are shown there.
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

/** The signed-in user. Throws 401 `signed_out`. */
export async function actor(): Promise<SignedIn> {
  const user = await currentUser();
  if (!user) throw signedOut();
  return user;
}
