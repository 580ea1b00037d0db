import assert from "node:assert/strict";
import { type ClientRequest, request } from "node:http";
import { routes } from "@/app/(api)/routes";
import { errorsOf } from "@/lib/api/error-codes";
import { expectError, expectSuccess } from "@/tests/contract/answers";
import { type Answer, type Asking, sendTo, withQuery } from "@/tests/support/request";
import type { Record } from "./record";

/** What an answer of the API must be: 200, or an error with this status and code. */
type Expected = 200 | readonly [status: number, code: string];
type Query = NonNullable<Asking["query"]>;

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

  /** Asks on a connection of its own, and reads no answer. */
  open(route: string, query: Query): ClientRequest {
    this.lastRoute = route;
    const { hostname, port } = new URL(this.origin);
    const headers = { "X-Forwarded-For": this.network };
    const sent = request({ hostname, port, path: withQuery(route, query), headers, agent: false });
    // Whoever goes away does not wait for it.
    sent.on("error", () => {}).on("response", (begun) => begun.on("error", () => {}).resume());
    return sent.end();
  }
}

function checkSuccess(pattern: string, answer: Answer): void {
  expectSuccess(answer);
  const sent: unknown = JSON.parse(answer.text);
  const declared = routes[pattern]?.GET.declaration.response.safeParse(sent);
  if (declared) assert.deepEqual(declared.data, sent, "the answer is what the route declares, and nothing beside");
}

/** An error of the API that the route says that it answers. */
function checkError(pattern: string, answer: Answer, [status, code]: readonly [number, string]): void {
  expectError(answer, status, code);
  const declaration = routes[pattern]?.GET.declaration;
  const isDeclared =
    !declaration ||
    errorsOf(declaration)
      .get(status)
      ?.some((error) => error.code === code);
  assert.ok(isDeclared, `${pattern} does not declare ${code}`);
}
