import { authRequest } from "@/components/auth";
import { whyFailed } from "@/components/failures";
import type { Outcome } from "../action";
import { signInSentence } from "./sentences";

/**
 * Leaves for a provider, which comes back to `callbackUrl`. Resolves with why that is impossible; otherwise not before
 * the browser shows this page again.
 */
export async function goToProvider(provider: string, callbackUrl: string): Promise<Outcome<never>> {
  try {
    const url = String((await authRequest(`signin/${provider}`, { callbackUrl })).url);
    const { pathname, searchParams } = new URL(url);
    if (pathname.startsWith("/api/auth/"))
      return { error: signInSentence(searchParams.has("csrf") ? "cookies" : (searchParams.get("error") ?? "")) };
    window.location.assign(url);
    return await new Promise((resolve) => {
      addEventListener("pageshow", () => resolve({ error: "" }), { once: true });
    });
  } catch (thrown) {
    return { error: await whyFailed(thrown) };
  }
}

/** What somebody signs in with. */
export interface Credentials {
  username: string;
  password: string;
}

/** Signs this browser in. A wrong username or password is a failure of the field `password`. */
export async function signInWithPassword({ username, password }: Credentials): Promise<Outcome<void>> {
  try {
    return await signInBy("credentials", { username: username.trim(), password });
  } catch (thrown) {
    return { error: await whyFailed(thrown) };
  }
}

/** The field that an error is about. */
const FIELDS: Record<string, string> = { invalid: "password", username_taken: "username" };

/** Signs this browser in, if it keeps the session's cookie. Throws if it was refused for another reason. */
export async function signInBy(
  method: "credentials" | "passkey",
  fields: Record<string, string>,
): Promise<Outcome<void>> {
  const { url } = await authRequest(`callback/${method}`, { ...fields, callbackUrl: "/" });
  const code = new URL(String(url)).searchParams.get("error") ?? (await lostCookie());
  if (code === null) return { ok: undefined };
  const [error, field] = [signInSentence(code), FIELDS[code]];
  return { error, code, ...(field && { fields: { [field]: error } }) };
}

/** The code for a session that the browser does not send back; null if it does. */
async function lostCookie(): Promise<"cookies" | null> {
  return "expires" in (await authRequest("session")) ? null : "cookies";
}
