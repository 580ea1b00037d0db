import { findUser } from "@/lib/accounts/identity/user";
import { createUser } from "@/lib/accounts/ways-in/create";
import { OPERATOR } from "@/lib/platform/audit";
import { PROOF_MS } from "@/lib/platform/bounds";
import { db } from "@/lib/platform/db/client";
import { newUsername, signInByPassword } from "./user";

export const PASSWORD = "correct horse battery";

/** Somebody who is signed in at a service by a password. */
export interface SignedIn {
  id: string;
  username: string;
  cookie: string;
}

/** A new user with this role, who has just signed in. */
export async function signedInAt(origin: string, role: "admin" | "user" = "user"): Promise<SignedIn> {
  const username = newUsername();
  const { id } = await createUser({ username, password: PASSWORD, role, createdBy: OPERATOR });
  return { id, username, cookie: await signInByPassword(origin, username, PASSWORD) };
}

/** As if everything that proved this user had been ten minutes ago. */
export async function letProofsPass(username: string): Promise<void> {
  const { id: userId } = await findUser(username);
  await db.session.updateMany({
    where: { userId },
    data: { createdAt: new Date(Date.now() - PROOF_MS), provenAt: null },
  });
}
