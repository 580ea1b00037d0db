import { signIn } from "next-auth/react";
import { UNREACHABLE } from "../unreachable";
import { signInSentence } from "./messages";

/** Signs this browser in. Answers null, or the sentence that says why not. */
export async function signInWithPassword(username: string, password: string): Promise<string | null> {
  try {
    const result = await signIn("credentials", { redirect: false, username: username.trim(), password });
    return result?.ok ? null : signInSentence(result?.error ?? "unavailable");
  } catch {
    return UNREACHABLE;
  }
}
