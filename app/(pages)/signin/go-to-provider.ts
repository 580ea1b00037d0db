import { whyFailed } from "@/components/why-failed";
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
