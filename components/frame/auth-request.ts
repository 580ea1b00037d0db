import { asJson } from "../feedback/why-failed";

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
