import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Asking, ask, json, ServiceRefusal } from "./ask";

const codeAnswer = z.object({ code: z.string().regex(/^[A-HJ-NP-Z]{6}$/) });
const statusAnswer = z.object({ status: z.string() });
const userAnswer = z.object({ linked: z.boolean(), token: z.string() });

/** How long the service may hold an answer; it allows no more. */
const WAIT_SECONDS = 25;

/** What a program shows, and how it should poll. */
export interface Code {
  letters: string;
  /** The page where a person enters the code. The letters are filled in there. */
  page: string;
  /** When it can no longer be approved (ms). */
  expiresAt: number;
  /** The poll interval that the service wants (ms). */
  interval: number;
  /** Sent with every poll for the token; empty if the service gave none. */
  secret: string;
}

/** A new code to show (`/link/code`). */
export async function newCode(service: URL, asking: Asking): Promise<Code> {
  const { status, headers, body } = await ask(
    new URL("/link/code?name=Latchkey%20demo", service),
    asking,
    json(codeAnswer),
  );
  if (status !== 200 || !body)
    throw new ServiceRefusal(`${service.origin} responded, but not with a code (${status}).`);
  const milliseconds = (header: string, otherwise: number) => (Number(headers.get(header)) || otherwise) * 1_000;
  return {
    letters: body.code,
    page: /^<([^>]+)>; rel="verification"/.exec(headers.get("link") ?? "")?.[1] ?? new URL("/link", service).href,
    expiresAt: Date.now() + milliseconds("link-expires-in", 600),
    interval: milliseconds("link-interval", 2),
    secret: headers.get("link-secret") ?? "",
  };
}

/** What to do when the service says this of a code. Anything else, like expired, is the end of it. */
const NEXT: Record<string, "wait" | "collect" | "collect again" | "stop"> = {
  pending: "wait",
  approved: "collect",
  collected: "collect again",
  denied: "stop",
};

/**
 * The token, as soon as a person has linked the code; null if it expired first. Throws a `ServiceRefusal` if the person
 * denied it.
 */
export async function waitForToken(service: URL, code: Code, asking: Asking): Promise<string | null> {
  const wait = <Body>(path: string, body: z.ZodType<Body>) => {
    const address = new URL(path, service);
    address.searchParams.set("code", code.letters);
    const secondsLeft = Math.max(1, Math.ceil((code.expiresAt - Date.now()) / 1_000));
    const waitSeconds = Math.min(WAIT_SECONDS, secondsLeft);
    return ask(address, { ...asking, secret: code.secret, waitSeconds }, json(body));
  };
  for (;;) {
    const isLastTime = Date.now() > code.expiresAt;
    const { headers, body } = await wait("/link/status", statusAnswer);
    const next = body && NEXT[body.status];
    if (next === "stop") throw new ServiceRefusal("You denied this program. It stops.");
    const collected = next?.startsWith("collect") ? await wait("/link/user", userAnswer) : undefined;
    if (collected?.body?.linked) return collected.body.token;
    if (isLastTime || (body && next !== "wait" && next !== "collect")) return null;
    // The service did not wait, so this program does.
    if (!(collected?.headers ?? headers).has("preference-applied"))
      await sleep(code.interval, undefined, { signal: asking.stop });
  }
}
