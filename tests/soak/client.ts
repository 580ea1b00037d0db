import assert from "node:assert/strict";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { routes } from "@/app/(api)/routes";
import { errorsOf } from "@/lib/http/error-codes";
import { type Answer, type Asking, sendTo, withQuery } from "@/tests/support/request";
import type { Record } from "./record";

/** What an answer of the API must be: 200, or an error with this status and code. */
type Expected = 200 | readonly [status: number, code: string];
type Query = NonNullable<Asking["query"]>;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

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
    const answer = await sendTo(this.origin, path, { network: this.network, ...asking });
    this.record.answers++;
    assert.match(String(answer.headers["x-request-id"]), UUID, "every answer has a request id");
    return answer;
  }

  /**
   * Asks a route of the API, named by its pattern, and holds the answer to what it must be here and to what the route
   * declares. The values of `{…}` in the pattern are taken from `query`.
   */
  async ask(pattern: string, expected: Expected, query: Query = {}, asking: Omit<Asking, "query"> = {}) {
    const rest = { ...query };
    const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest[name]);
      delete rest[name];
      return encodeURIComponent(value);
    });
    const answer = await this.send(pattern, path, { ...asking, query: rest });
    if (expected === 200) checkSuccess(pattern, answer);
    else checkError(pattern, answer, expected);
    return answer;
  }

  /** Asks on a connection of its own. The response is there with its head; its body is not read. */
  open(route: string, query: Query): { sent: ClientRequest; response: Promise<IncomingMessage> } {
    this.lastRoute = route;
    const { hostname, port } = new URL(this.origin);
    const headers = { "X-Forwarded-For": this.network };
    const sent = request({ hostname, port, path: withQuery(route, query), headers, agent: false });
    const response = new Promise<IncomingMessage>((resolve, reject) =>
      sent.on("response", resolve).on("error", reject),
    );
    // Whoever goes away does not wait for it.
    response.then((begun) => begun.on("error", () => {})).catch(() => {});
    sent.end();
    return { sent, response };
  }
}

/** What every answer of the API carries (contract, section 1). */
export function checkApiHeaders({ headers }: Answer): void {
  assert.equal(headers["access-control-allow-origin"], "*");
  assert.equal(headers["set-cookie"], undefined, "an answer of the API sets no cookie");
}

function checkSuccess(pattern: string, answer: Answer): void {
  checkApiHeaders(answer);
  assert.equal(answer.status, 200, answer.text.slice(0, 300));
  const { "content-type": type, "cache-control": cached } = answer.headers;
  assert.deepEqual([type, cached], ["application/json; charset=utf-8", "no-store"]);
  const sent: unknown = JSON.parse(answer.text);
  const declared = routes[pattern]?.GET.declaration.response.safeParse(sent);
  if (declared) assert.deepEqual(declared.data, sent, "the answer is what the route declares, and nothing beside");
}

/** An error of the API: the one body, with this status and code, which the route says that it answers. */
export function checkError(pattern: string, answer: Answer, [expected, code]: readonly [number, string]): void {
  const { status, headers, body, text } = answer;
  checkApiHeaders(answer);
  assert.deepEqual([status, body?.code], [expected, code], text.slice(0, 300));
  assert.deepEqual(body, { success: false, error: body?.error, message: body?.error, code });
  assert.match(String(body?.error), /^\S.*\.$/s, "an error is a sentence");
  assert.equal(headers["content-type"], "application/json; charset=utf-8");
  if (status === 429 || status === 503) assert.match(String(headers["retry-after"]), /^[1-9]\d*$/);
  if (status === 401) assert.equal(headers["www-authenticate"], "Bearer");
  const declaration = routes[pattern]?.GET.declaration;
  const isDeclared =
    !declaration ||
    errorsOf(declaration)
      .get(status)
      ?.some((error) => error.code === code);
  assert.ok(isDeclared, `${pattern} does not declare ${code}`);
}

/** The answer to every code that is not linked, byte for byte (contract, section 4). */
export function checkNotLinked(answer: Answer): void {
  assert.deepEqual([answer.status, answer.text], [404, '{"linked":false,"token":""}']);
}
