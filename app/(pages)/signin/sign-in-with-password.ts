import { authClient } from "@/components/auth-client";
import type { Outcome } from "../outcome";
import { UNREACHABLE } from "../unreachable";
import { signInSentence } from "./messages";

/** Signs this browser in. A wrong username or password is a failure of the field `password`. */
export async function signInWithPassword(username: string, password: string): Promise<Outcome<void>> {
  try {
    const { signIn } = await authClient();
    const typed = { username: username.trim(), password };
    // Otherwise NextAuth sends the page's address, however long it is.
    const result = await signIn("credentials", { redirect: false, callbackUrl: "/", ...typed });
    if (result?.ok) return { ok: undefined };
    const code = result?.error ?? "unavailable";
    return { error: signInSentence(code), field: code === "invalid" ? "password" : undefined };
  } catch {
    return { error: UNREACHABLE };
  }
}
