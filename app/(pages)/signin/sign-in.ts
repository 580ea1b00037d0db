import { whyFailed } from "@/components/feedback/why-failed";
import { authClient } from "@/components/frame/sign-out";
import type { Outcome } from "../outcome";
import { signInSentence } from "./messages";

/**
 * Leaves for a provider, which comes back to `callbackUrl`. Resolves with why that is impossible; otherwise not before
 * the browser shows this page again. (NextAuth's own `signIn` leaves the page for an error, too.)
 */
export async function goToProvider(provider: string, callbackUrl: string): Promise<Outcome<never>> {
  try {
    const { csrfToken } = await (await fetch("/api/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, callbackUrl, json: "true" });
    const { url } = await (await fetch(`/api/auth/signin/${provider}`, { method: "POST", body })).json();
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

/** Signs this browser in. A wrong username or password is a failure of the field `password`. */
export async function signInWithPassword(username: string, password: string): Promise<Outcome<void>> {
  try {
    return await signInBy("credentials", { username: username.trim(), password });
  } catch (thrown) {
    return { error: await whyFailed(thrown) };
  }
}

/** The field that an error is about. */
const FIELDS: Record<string, string> = { invalid: "password", username_taken: "username" };

/** Signs this browser in, if it keeps the session's cookie. Throws if the service cannot be reached. */
export async function signInBy(
  method: "credentials" | "passkey",
  fields: Record<string, unknown>,
): Promise<Outcome<void>> {
  const { signIn } = await authClient();
  // By default NextAuth sends the address of this page with its fragment, which may be the secret of a link.
  const result = await signIn(method, { ...fields, redirect: false, callbackUrl: "/" });
  const code = result?.ok ? await lostCookie() : (result?.error ?? "unavailable");
  return code === null ? { ok: undefined } : { error: signInSentence(code), field: FIELDS[code] };
}

/** The code for a session that the browser does not send back; null if it does. */
async function lostCookie(): Promise<"cookies" | null> {
  const session = await (await fetch("/api/auth/session", { cache: "no-store" })).json();
  return "expires" in session ? null : "cookies";
}
