import assert from "node:assert/strict";
import { type IncomingMessage, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { routes } from "@/app/(api)/routes";
import { errorsOf } from "@/lib/http/error-codes";
import { type Answer, type Asking, sendTo, withQuery } from "@/tests/support/request";
import type { Record } from "./record";

/** What an answer of the API must be: 200, or an error with this status and code. */
export type Expected = 200 | readonly [status: number, code: string];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const JSON_TYPE = "application/json; charset=utf-8";

/** Speaks to the service and keeps count. Every answer is held to the contract as it comes in. */
export class Client {
  /** What was asked last, for who tells of a fault. */
  lastRoute = "";

  constructor(
    readonly origin: string,
    readonly record: Record,
    /** Where it is, unless a request says otherwise. */
    readonly network: string,
  ) {}

  /** Sends a request that counts under `route`. */
  async send(route: string, path: string, asking: Asking = {}): Promise<Answer> {
    this.lastRoute = route;
    const started = performance.now();
    const answer = await sendTo(this.origin, path, { ...asking, network: asking.network ?? this.network });
    this.record.answered(route, answer.status, performance.now() - started);
    assert.match(String(answer.headers["x-request-id"]), UUID, "every answer has a request id");
    return answer;
  }

  /**
   * Asks a route of the API, named by its pattern, and holds the answer to what it must be here and to what the route
   * declares. The values of `{…}` in the pattern are taken from `query`.
   */
  async ask(
    pattern: string,
    expected: Expected,
    query: NonNullable<Asking["query"]> = {},
    asking: Omit<Asking, "query"> = {},
  ): Promise<Answer> {
    const { rest, path } = fillIn(pattern, query);
    const answer = await this.send(pattern, path, { ...asking, query: rest });
    checkApiHeaders(answer);
    if (expected === 200) checkSuccess(pattern, answer);
    else checkError(pattern, answer, expected);
    return answer;
  }

  /** Asks and goes away: after so many milliseconds, whatever has come by then. */
  async breakOff(route: string, query: NonNullable<Asking["query"]>, afterMs: number): Promise<void> {
    this.lastRoute = route;
    const { hostname, port } = new URL(this.origin);
    const sent = request({
      hostname,
      port,
      path: withQuery(route, query),
      headers: { "X-Forwarded-For": this.network },
      agent: false,
    });
    sent.on("error", () => {}).on("response", (response) => response.on("error", () => {}).resume());
    sent.end();
    await sleep(afterMs);
    sent.destroy();
  }

  /**
   * Sends an address of so many bytes. Where the connection is cut before the answer can be read, that is the answer.
   */
  async sendHuge(bytes: number): Promise<Answer | "reset"> {
    return this.send("(refused)", `/me?a=${"a".repeat(bytes)}`).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ECONNRESET" || error.code === "EPIPE") return "reset";
      throw error;
    });
  }

  /** Asks, and takes the answer as slowly as `bytesPerSecond`. `begun` is the answer without its body. */
  readSlowly(
    route: string,
    query: NonNullable<Asking["query"]>,
    bytesPerSecond: number,
  ): { begun: Promise<Answer>; bytes: Promise<Buffer> } {
    this.lastRoute = route;
    const { hostname, port } = new URL(this.origin);
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { "X-Forwarded-For": this.network };
      request({ hostname, port, path: withQuery(route, query), headers, agent: false }, resolve)
        .on("error", reject)
        .end();
    });
    const begun = response.then(({ statusCode = 0, headers }) => ({
      status: statusCode,
      headers,
      bytes: Buffer.alloc(0),
      text: "",
      body: undefined,
      list: [],
    }));
    const bytes = response.then(async (body) => {
      const chunks: Buffer[] = [];
      for await (const chunk of body as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        await sleep((chunk.length / bytesPerSecond) * 1000);
      }
      return Buffer.concat(chunks);
    });
    // Whoever gave up in between does not wait for it.
    bytes.catch(() => {});
    return { begun, bytes };
  }
}

function fillIn(pattern: string, query: NonNullable<Asking["query"]>) {
  const rest = { ...query };
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest[name]);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { rest, path };
}

/** What every answer of the API carries (contract, section 1). */
export function checkApiHeaders({ headers }: Answer): void {
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.equal(headers["set-cookie"], undefined, "an answer of the API sets no cookie");
}

function checkSuccess(pattern: string, answer: Answer): void {
  assert.equal(answer.status, 200, answer.text.slice(0, 300));
  assert.equal(answer.headers["content-type"], JSON_TYPE);
  assert.equal(answer.headers["cache-control"], "no-store");
  const sent: unknown = JSON.parse(answer.text);
  const declared = routes[pattern]?.GET.declaration.response.safeParse(sent);
  if (declared) assert.deepEqual(declared.data, sent, "the answer is what the route declares, and nothing beside");
}

/** An error of the API: the one body, with this status and code, which the route says that it answers. */
export function checkError(
  pattern: string,
  { status, headers, body, text }: Answer,
  [expected, code]: readonly [number, string],
): void {
  assert.deepEqual([status, body?.code], [expected, code], text.slice(0, 300));
  assert.deepEqual(body, { success: false, error: body?.error, message: body?.error, code });
  assert.match(String(body?.error), /^\S.*\.$/s, "an error is a sentence");
  assert.equal(headers["content-type"], JSON_TYPE);
  if (status === 429 || status === 503) assert.match(String(headers["retry-after"]), /^[1-9]\d*$/);
  if (status === 401) assert.equal(headers["www-authenticate"], "Bearer");
  const declaration = routes[pattern]?.GET.declaration;
  if (declaration)
    assert.ok(
      errorsOf(declaration)
        .get(status)
        ?.some((error) => error.code === code),
      `${pattern} does not declare ${code}`,
    );
}

/** The answer to every code that is not linked, byte for byte (contract, section 4). */
export function checkNotLinked(answer: Answer): void {
  assert.deepEqual([answer.status, answer.text], [404, '{"linked":false,"token":""}']);
}
