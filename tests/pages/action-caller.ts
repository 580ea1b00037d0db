import { createUser } from "@/lib/auth/users";
import { origin } from "@/tests/support/http";
import { signInByPassword } from "@/tests/support/sign-in";
import { newUsername } from "@/tests/support/user";
import { PASSWORD } from "./visitor";

/** Somebody who is signed in, without a browser. */
export interface Session {
  id: string;
  username: string;
  cookie: string;
}

/** A new user with this role, who has just signed in. */
export async function signedInAs(role: "admin" | "user"): Promise<Session> {
  const username = newUsername();
  const { id } = await createUser({ username, password: PASSWORD, role, madeBy: "operator" });
  return { id, username, cookie: await signInByPassword(origin, username, PASSWORD) };
}

/** How an action's answer begins if it did what it was asked to. */
export const DONE = /^1:\{("ok":.*)?\}$/m;
