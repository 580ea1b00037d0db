import { asJson } from "./failures";

/**
 * Asks an address of NextAuth, or sends it a form, and returns its JSON: that of a sign-in with wrong data, too, whose
 * `url` names the error. Throws for any other refusal what the call of an action throws. (NextAuth's own client takes
 * every refusal for its own answer.)
 */
export async function authRequest(path: string, form?: Record<string, string>): Promise<Record<string, unknown>> {
  const body =
    form && new URLSearchParams({ ...form, csrfToken: String((await authRequest("csrf")).csrfToken), json: "true" });
  const response = await fetch(`/api/auth/${path}`, { method: body ? "POST" : "GET", body, cache: "no-store" });
  const text = await response.text();
  const answer = response.ok || response.status === 401 ? asJson(text) : undefined;
  if (!answer) throw new Error(text);
  return answer;
}

/** Asks whether to sign out although something would be lost. */
type Question = () => Promise<boolean>;

let question: Question | null = null;

/** From now on `ask` decides whether this window may sign out. Returns what ends this. */
export function confirmBeforeSignOut(confirm: Question): () => void {
  question = confirm;
  return () => {
    question = null;
  };
}

/**
 * Signs this browser out, goes to the page `next`, and returns true; or returns false if the person was asked and
 * stays. Throws if they are still signed in.
 */
export async function signOutHere(next = "/"): Promise<boolean> {
  if (question && !(await question())) return false;
  await authRequest("signout", { callbackUrl: "/" });
  window.location.assign(next);
  return true;
}
