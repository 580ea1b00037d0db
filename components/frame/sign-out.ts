/** Loads NextAuth's client: a page that only might sign somebody in or out opens without it. */
export const authClient = () => import("next-auth/react");

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
 * stays. Throws if the service could not be reached.
 */
export async function signOutHere(next = "/"): Promise<boolean> {
  if (question && !(await question())) return false;
  const { signOut } = await authClient();
  // By default NextAuth sends the address of this page with its fragment, which may be the secret of a link.
  await signOut({ redirect: false, callbackUrl: "/" });
  window.location.assign(next);
  return true;
}
