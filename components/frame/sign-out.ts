import { authRequest } from "./auth-request";

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
