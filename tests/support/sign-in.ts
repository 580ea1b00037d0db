import { type Answer, sendTo } from "./request";

export async function postPassword(origin: string, username: string, password: string, network?: string) {
  const started = await sendTo(origin, "/api/auth/csrf", { network });
  const cookies = cookiesOf(started);
  const csrfToken = String(started.body?.csrfToken);
  const body = new URLSearchParams({ csrfToken, username, password, callbackUrl: origin, json: "true" }).toString();
  const headers = {
    Cookie: cookies,
    Origin: origin,
    "Content-Type": "application/x-www-form-urlencoded",
    "Content-Length": String(body.length),
  };
  const answer = await sendTo(origin, "/api/auth/callback/credentials", { method: "POST", headers, body, network });
  const error = new URL(String(answer.body?.url), origin).searchParams.get("error");
  return { status: answer.status, cookies: [cookies, cookiesOf(answer)].join("; "), error };
}

export async function signInByPassword(origin: string, username: string, password: string): Promise<string> {
  const { status, cookies } = await postPassword(origin, username, password);
  if (status !== 200 || !cookies.includes("session-token")) throw new Error(`Signing in failed with ${status}.`);
  return cookies;
}

export function cookiesOf({ headers }: Answer): string {
  return (headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
}
