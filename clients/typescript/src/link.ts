import type { LinkCode, LinkUser } from "./api";
import { LatchkeyError } from "./errors";
import { backoff, type Connection, type JsonResponse, pause, requestJson, requestJsonOnce } from "./request";

/** What the user needs to link a program. */
export interface ShownCode {
  /** Six letters, which the user compares. */
  code: string;
  /** The page to open. */
  url: string;
  expiresAt: Date;
}

interface RequestOptions {
  /** What the user sees the program called: 1 to 40 characters. */
  name?: string;
  /**
   * The access that the program needs; it then gets a token of its own. Left out: the account's token, unless the user
   * decides otherwise.
   */
  access?: "identity" | "read" | "everything";
  /**
   * The server for which `validator()` will be called: the user sees it. The program then gets a token of its own. Left
   * out: a page's own site, or a server that has the program's name.
   */
  audience?: string;
  signal?: AbortSignal;
}

export interface LinkOptions extends RequestOptions {
  /** Shows the code. */
  onCode: (shown: ShownCode) => void;
}

const WAIT_SECONDS = 25;
/** How long an approved code can be collected. */
const COLLECT_SECONDS = 300;
/** The same program may request the token again for 10 seconds after it was collected. */
const REPEAT_SECONDS = 15;
/** Clocks differ; the service decides when a code has expired. */
const MORE_SECONDS = 60;

/** A code that was issued to this program, and its poll secret. */
export interface IssuedCode {
  shown: ShownCode;
  /** Nobody else can collect the token. Undefined from a service that has none. */
  secret: string | undefined;
  /** Seconds between two polls. */
  interval: number;
}

/** Requests a code. */
export async function requestCode(
  connection: Connection,
  { name, access, audience, signal }: RequestOptions,
): Promise<IssuedCode> {
  const query = { name, access, audience };
  const codeResponse = await requestJson<LinkCode>(connection, "/link/code", { query, signal });
  const { code } = codeResponse.body;
  const number = (header: string, otherwise: number) => Number(codeResponse.headers.get(header) ?? otherwise);
  const expiresAt = Date.now() + number("Link-Expires-In", 600) * 1000;
  const [, page] = /<([^>]+)>;\s*rel="verification"/.exec(codeResponse.headers.get("Link") ?? "") ?? [];
  const url = page && /^https?:/.test(page) ? page : `${connection.address}/link?code=${code}`;
  return {
    shown: { code, url, expiresAt: new Date(expiresAt) },
    secret: codeResponse.headers.get("Link-Secret") ?? undefined,
    interval: number("Link-Interval", 2),
  };
}

/**
 * Waits until the user has decided. Resolves with the token. Throws `link_denied`, `link_expired` or `link_collected`,
 * and what a request throws if the service does not respond until the end.
 */
export async function waitForToken(
  connection: Connection,
  { shown: { code, expiresAt }, secret, interval }: IssuedCode,
  signal?: AbortSignal,
): Promise<string> {
  const call = {
    query: { code },
    // The secret lets nobody else collect the token, and this program from any network.
    headers: { Prefer: `wait=${WAIT_SECONDS}`, "Link-Secret": secret },
    accepted: [404],
    patience: WAIT_SECONDS,
    signal,
  };
  let giveUp = expiresAt.getTime() + MORE_SECONDS * 1000;
  let collectedAt = Number.POSITIVE_INFINITY;
  let isApproved = false;
  let failures = 0;
  for (;;) {
    try {
      let response: JsonResponse<{ status: string } | LinkUser> = await requestJsonOnce<{ status: string }>(
        connection,
        "/link/status",
        call,
      );
      const { status } = response.body as { status: string };
      if (status === "denied") throw new LatchkeyError("link_denied", "The code was denied.");
      if (status === "expired") throw expired();
      if (status === "linked" || status === "collected") {
        if (!isApproved) giveUp = Date.now() + (COLLECT_SECONDS + MORE_SECONDS) * 1000;
        isApproved = true;
        response = await requestJsonOnce<LinkUser>(connection, "/link/user", call);
        const { linked, token } = response.body as LinkUser;
        if (linked) return token;
      }
      if (status === "collected") {
        collectedAt = Math.min(collectedAt, Date.now());
        if (Date.now() - collectedAt > REPEAT_SECONDS * 1000) throw collected();
      }
      failures = 0;
      if (Date.now() > giveUp) throw expired();
      // The service did not wait, so this program does.
      if (!response.headers.has("Preference-Applied")) await pause(interval, signal);
    } catch (error) {
      if (!(error instanceof LatchkeyError) || error.code.startsWith("link_") || Date.now() > giveUp) throw error;
      // Nothing is lost by another request, and an approved token only by not doing so within ten seconds.
      const seconds = isApproved ? Math.min(1, backoff(++failures)) : backoff(++failures);
      await pause(Math.max(error.retryAfter ?? 0, seconds), signal);
    }
  }
}

const expired = () => new LatchkeyError("link_expired", "The code has expired. Start again.");
const collected = () =>
  new LatchkeyError("link_collected", "The token for this code has already been collected. Start again.");
