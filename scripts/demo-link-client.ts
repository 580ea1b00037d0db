import { type as system } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

const codeBody = z.object({ code: z.string().regex(/^[A-HJ-NP-Z]{6}$/) });
const statusBody = z.object({ status: z.string() });
const userBody = z.object({ linked: z.boolean(), token: z.string() });

/** How long the service may hold an answer; it allows no more. */
const WAIT_SECONDS = 25;

/** What a program shows, and how it should poll. */
export interface Code {
  code: string;
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
export async function newCode(service: URL, options: RequestOptions): Promise<Code> {
  const { status, headers, body } = await request(
    new URL("/link/code?name=Latchkey%20demo", service),
    options,
    json(codeBody),
  );
  if (status !== 200 || !body)
    throw new ServiceRefusal(`${service.origin} responded, but not with a code (${status}).`);
  const milliseconds = (header: string, otherwise: number) => (Number(headers.get(header)) || otherwise) * 1_000;
  return {
    code: body.code,
    page: /^<([^>]+)>; rel="verification"/.exec(headers.get("link") ?? "")?.[1] ?? new URL("/link", service).href,
    expiresAt: Date.now() + milliseconds("link-expires-in", 600),
    interval: milliseconds("link-interval", 2),
    secret: headers.get("link-secret") ?? "",
  };
}

/** What to do when the service says this of a code. Anything else, like expired, is the end of it. */
const NEXT: Record<string, "wait" | "collect" | "collect again" | "stop"> = {
  pending: "wait",
  linked: "collect",
  collected: "collect again",
  denied: "stop",
};

/**
 * The token, as soon as a person has linked the code; null if it expired first. Throws a `ServiceRefusal` if the person
 * denied it.
 */
export async function waitForToken(service: URL, code: Code, options: RequestOptions): Promise<string | null> {
  const wait = <Body>(path: string, body: z.ZodType<Body>) => {
    const address = new URL(path, service);
    address.searchParams.set("code", code.code);
    const secondsLeft = Math.max(1, Math.ceil((code.expiresAt - Date.now()) / 1_000));
    const waitSeconds = Math.min(WAIT_SECONDS, secondsLeft);
    return request(address, { ...options, secret: code.secret, waitSeconds }, json(body));
  };
  for (;;) {
    const isLastTime = Date.now() > code.expiresAt;
    const { headers, body } = await wait("/link/status", statusBody);
    const next = body && NEXT[body.status];
    if (next === "stop") throw new ServiceRefusal("You denied this program. It stops.");
    const collected = next?.startsWith("collect") ? await wait("/link/user", userBody) : undefined;
    if (collected?.body?.linked) return collected.body.token;
    if (isLastTime || (body && next !== "wait" && next !== "collect")) return null;
    // The service did not wait, so this program does.
    if (!(collected?.headers ?? headers).has("preference-applied"))
      await sleep(code.interval, undefined, { signal: options.stop });
  }
}

const RESPONSE_WITHIN_MS = 20_000;
const MAX_WAIT_SECONDS = 30;

/** An error that a retry does not fix. The message is for the person. */
export class ServiceRefusal extends Error {}

export interface RequestOptions {
  /** The user's token, once there is one. */
  token?: string;
  /** Proves that this program is the one that got the code. */
  secret?: string;
  /** How long the service may hold its answer, until there is something new. */
  waitSeconds?: number;
  /** Prints a line for the person. */
  print: (line: string) => void;
  /** Aborted when the person wants to leave. */
  stop: AbortSignal;
}

export interface ServiceResponse<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/**
 * Sends a request to the service and returns the response, however long that takes. It retries while the service is
 * unreachable, failing, or asks to wait (`Retry-After`). Any other response, including 404, is for the caller to
 * interpret.
 */
export async function request<Body>(
  address: URL,
  { token, secret, waitSeconds = 0, print, stop }: RequestOptions,
  read: (response: Response) => Promise<Body>,
): Promise<ServiceResponse<Body>> {
  const headers = {
    "User-Agent": `latchkey-demo/1.0 (${system()})`,
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(secret && { "Link-Secret": secret }),
    ...(waitSeconds > 0 && { Prefer: `wait=${waitSeconds}` }),
  };
  for (let patience = 1; ; patience = Math.min(patience * 2, MAX_WAIT_SECONDS)) {
    const response = await send(address, { headers, stop, ms: RESPONSE_WITHIN_MS + waitSeconds * 1_000 }, read).catch(
      (error) => {
        stop.throwIfAborted();
        return explainUnreachable(address, error);
      },
    );
    const trouble = typeof response === "string" ? response : troubleOf(response.status);
    if (typeof response !== "string" && trouble === "") return response;
    const seconds = (typeof response !== "string" && Number(response.headers.get("retry-after"))) || patience;
    print(`${trouble} Trying again in ${seconds} s.`);
    await sleep(seconds * 1_000, undefined, { signal: stop });
  }
}

async function send<Body>(
  address: URL,
  { headers, stop, ms }: { headers: Record<string, string>; stop: AbortSignal; ms: number },
  read: (response: Response) => Promise<Body>,
): Promise<ServiceResponse<Body>> {
  // Only the beginning of a response must arrive in time: a large one may take as long as it needs.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  const response = await fetch(address, { headers, signal: AbortSignal.any([stop, late.signal]) }).finally(() =>
    clearTimeout(timer),
  );
  return { status: response.status, headers: response.headers, body: await read(response) };
}

function explainUnreachable(address: URL, error: Error & { cause?: { code?: string } }): string {
  if (error.name === "AbortError") return `${address.origin} is taking too long to respond.`;
  return `${address.origin} cannot be reached (${error.cause?.code ?? "the connection was lost"}).`;
}

function troubleOf(status: number): string {
  if (status === 429) return "Too many requests from this network.";
  return status < 500 ? "" : `${status}: the service has a problem.`;
}

/** Reads the body as JSON of this shape; undefined if it does not match: a proxy may respond with its own page. */
export function json<Shape>(shape: z.ZodType<Shape>): (response: Response) => Promise<Shape | undefined> {
  return async (response) => {
    const text = await response.text();
    try {
      return shape.parse(JSON.parse(text));
    } catch {
      return undefined;
    }
  };
}

/** The size of the body in bytes. They are not kept: it may be a gigabyte. */
export async function length(response: Response): Promise<number> {
  const reader = response.body?.getReader();
  for (let bytes = 0; ; ) {
    const piece = await reader?.read();
    if (!piece?.value) return bytes;
    bytes += piece.value.length;
  }
}
