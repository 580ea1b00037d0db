import { type as system } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { z } from "zod";

const ANSWER_WITHIN_MS = 20_000;
const LONGEST_WAIT_SECONDS = 30;

/** Something that trying again does not mend. The message is for the person. */
export class Refusal extends Error {}

export interface Asking {
  /** The user's token, once there is one. */
  token?: string;
  /** What proves that this program is the one that the code was given to. */
  secret?: string;
  /** Tells the person something. */
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
 * Asks the service and answers what it said, however long that takes: while it cannot be reached, is in trouble, or wants us to
 * wait (`Retry-After`), it is asked again. What any other answer means, 404 too, is for the caller to judge.
 */
export async function ask<Body>(address: URL, { token, secret, say, stop }: Asking, read: (response: Response) => Promise<Body>): Promise<Answer<Body>> {
  const headers = {
    "User-Agent": `latchkey-demo/1.0 (${system()})`,
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(secret && { "Link-Secret": secret }),
  };
  for (let patience = 1; ; patience = Math.min(patience * 2, LONGEST_WAIT_SECONDS)) {
    const answer = await send(address, headers, stop, read).catch((error) => {
      stop.throwIfAborted();
      return lost(address, error);
    });
    const trouble = typeof answer === "string" ? answer : troubleOf(answer.status);
    if (typeof answer !== "string" && trouble === "") return answer;
    const seconds = (typeof answer !== "string" && Number(answer.headers.get("retry-after"))) || patience;
    say(`${trouble} Trying again in ${seconds} s.`);
    await sleep(seconds * 1_000, undefined, { signal: stop });
  }
}

async function send<Body>(
  address: URL,
  headers: Record<string, string>,
  stop: AbortSignal,
  read: (response: Response) => Promise<Body>,
): Promise<Answer<Body>> {
  // Only the beginning of an answer has to come in time: a large one may take as long as it wants.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_WITHIN_MS);
  const response = await fetch(address, { headers, signal: AbortSignal.any([stop, late.signal]) }).finally(() => clearTimeout(timer));
  return { status: response.status, headers: response.headers, body: await read(response) };
}

function lost(address: URL, error: Error & { cause?: { code?: string } }): string {
  if (error.name === "AbortError") return `${address.origin} takes too long to answer.`;
  return `${address.origin} cannot be reached (${error.cause?.code ?? "the connection broke off"}).`;
}

function troubleOf(status: number): string {
  if (status === 429) return "Too many questions from this network.";
  return status < 500 ? "" : `${status}: the service is in trouble.`;
}

/** Reads the body as JSON of this shape; undefined where it is not: a proxy on the way may answer with a page of its own. */
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

/** How many bytes the body has. They are not kept: it may be a gigabyte. */
export async function length(response: Response): Promise<number> {
  const reader = response.body?.getReader();
  for (let bytes = 0; ; ) {
    const piece = await reader?.read();
    if (!piece?.value) return bytes;
    bytes += piece.value.length;
  }
}
