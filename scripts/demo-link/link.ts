import { z } from "zod";
import { type Asking, ask, json, Refusal } from "./ask";

const codeAnswer = z.object({ code: z.string().regex(/^[A-HJ-NP-Z]{6}$/) });
// 404 says not yet, no more, or never: a program cannot tell which. Its body is JSON all the same.
const userAnswer = z.object({ linked: z.boolean(), token: z.string() });

/** What a program shows, and how it should behave. */
export interface Code {
  letters: string;
  /** Where a person enters them. The letters are filled in there. */
  page: string;
  /** When nobody can approve it any more (ms). */
  expiresAt: number;
  /** How often the service wants to be asked (ms). */
  interval: number;
  /** To send along with every question for the token; empty where the service gave none. */
  secret: string;
}

/** A new code to show (`/link/code`). */
export async function newCode(service: URL, asking: Asking): Promise<Code> {
  const { status, headers, body } = await ask(new URL("/link/code", service), asking, json(codeAnswer));
  if (status !== 200 || !body) throw new Refusal(`${service.origin} answers, but not with a code (${status}).`);
  const milliseconds = (header: string, otherwise: number) => (Number(headers.get(header)) || otherwise) * 1_000;
  return {
    letters: body.code,
    page: /^<([^>]+)>; rel="verification"/.exec(headers.get("link") ?? "")?.[1] ?? new URL("/link", service).href,
    expiresAt: Date.now() + milliseconds("link-expires-in", 600),
    interval: milliseconds("link-interval", 2),
    secret: headers.get("link-secret") ?? "",
  };
}

/** The token, once a person has linked the code (`/link/user`); null when it expired before. */
export async function waitForToken(service: URL, code: Code, asking: Asking, pause: (ms: number) => Promise<void>): Promise<string | null> {
  const address = new URL("/link/user", service);
  address.searchParams.set("code", code.letters);
  for (;;) {
    const isLastTime = Date.now() > code.expiresAt;
    const { body } = await ask(address, { ...asking, secret: code.secret }, json(userAnswer));
    if (body?.linked) return body.token;
    if (isLastTime) return null;
    await pause(code.interval);
  }
}
