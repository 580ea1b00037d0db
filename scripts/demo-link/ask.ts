import { type as system } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";

const ANSWER_WITHIN_MS = 20_000;
const LONGEST_WAIT_SECONDS = 30;

/** An error that a retry does not fix. The message is for the person. */
export class ServiceRefusal extends Error {}

export interface Asking {
  /** The user's token, once there is one. */
  token?: string;
  /** Proves that this program is the one that got the code. */
  secret?: string;
  /** How long the service may hold its answer, until there is something new. */
  waitSeconds?: number;
  /** Prints a line for the person. */
  say: (line: string) => void;
  /** Aborted when the person wants to leave. */
  stop: AbortSignal;
}

export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

/**
 * Sends a request to the service and returns the response, however long that takes. It retries while the service is
 * unreachable, failing, or asks to wait (`Retry-After`). Any other response, including 404, is for the caller to
 * interpret.
 */
export async function ask<Body>(
  address: URL,
  { token, secret, waitSeconds = 0, say, stop }: Asking,
  read: (response: Response) => Promise<Body>,
): Promise<Answer<Body>> {
  const headers = {
    "User-Agent": `latchkey-demo/1.0 (${system()})`,
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(secret && { "Link-Secret": secret }),
    ...(waitSeconds > 0 && { Prefer: `wait=${waitSeconds}` }),
  };
  for (let patience = 1; ; patience = Math.min(patience * 2, LONGEST_WAIT_SECONDS)) {
    const answer = await send(address, { headers, stop, ms: ANSWER_WITHIN_MS + waitSeconds * 1_000 }, read).catch(
      (error) => {
        stop.throwIfAborted();
        return lost(address, error);
      },
    );
    const trouble = typeof answer === "string" ? answer : troubleOf(answer.status);
    if (typeof answer !== "string" && trouble === "") return answer;
    const seconds = (typeof answer !== "string" && Number(answer.headers.get("retry-after"))) || patience;
    say(`${trouble} Trying again in ${seconds} s.`);
    await sleep(seconds * 1_000, undefined, { signal: stop });
  }
}

async function send<Body>(
  address: URL,
  { headers, stop, ms }: { headers: Record<string, string>; stop: AbortSignal; ms: number },
  read: (response: Response) => Promise<Body>,
): Promise<Answer<Body>> {
  // Only the beginning of a response must arrive in time: a large one may take as long as it needs.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ms);
  const response = await fetch(address, { headers, signal: AbortSignal.any([stop, late.signal]) }).finally(() =>
    clearTimeout(timer),
  );
  return { status: response.status, headers: response.headers, body: await read(response) };
}

function lost(address: URL, error: Error & { cause?: { code?: string } }): string {
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
