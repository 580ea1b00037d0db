import { expect } from "vitest";
import type { Answer } from "@/tests/support/request";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** What stands in an answer that says more than it should: a stack, SQL, a path, a name of ours. */
const LEAK =
  /\bat .+:\d|node_modules|\/(?:home|root|tmp|usr|var|work)\/|prisma|sqlite|postgres|\b(?:SELECT\b|INSERT\b|UPDATE ")/i;

/** What every answer of the API carries (contract, section 1: caching, CORS, request id). */
export function expectCommonHeaders({ headers }: Answer): void {
  expect(headers["x-request-id"]).toMatch(UUID);
  expect(headers["access-control-allow-origin"]).toBe("*");
  expect(headers["access-control-allow-credentials"]).toBeUndefined();
  expect(headers["set-cookie"]).toBeUndefined();
  expect(headers["x-powered-by"]).toBeUndefined();
}

/** Everything of an answer but its date and its request id. */
export const whole = ({ status, text, headers }: Answer) =>
  JSON.stringify({ status, text, headers: { ...headers, date: "", "x-request-id": "" } });

/** A 200 with JSON that nobody keeps. */
export function expectSuccess(answer: Answer): Answer {
  expect(answer.status).toBe(200);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers.etag).toBeUndefined();
  expectCommonHeaders(answer);
  return answer;
}

/** The one error body, with nothing in it that a stranger should not see (contract, section 1: error). */
export function expectError(answer: Answer, status: number, code: string): Answer {
  const sentence = answer.body?.error;
  expect(answer.body).toEqual({ success: false, error: sentence, message: sentence, code });
  expect(answer.status).toBe(status);
  expect(sentence).toMatch(/^\S.*\.$/s);
  expect(answer.text).not.toMatch(LEAK);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["cache-control"]).toBe("no-store");
  expect(answer.headers["www-authenticate"]).toBe(status === 401 ? "Bearer" : undefined);
  if (status === 429 || status === 503) expect(answer.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
  expectCommonHeaders(answer);
  return answer;
}

/** The answer to every code that is not linked, byte for byte (contract, section 4). */
export function expectNotLinked(answer: Answer, status = 404): Answer {
  return expectOwnRefusal(answer, status, '{"linked":false,"token":""}');
}

/** The answer to everybody who may not know the status, byte for byte (contract, section 4). */
export function expectUnknown(answer: Answer, status = 404): Answer {
  return expectOwnRefusal(answer, status, '{"status":"unknown"}');
}

function expectOwnRefusal(answer: Answer, status: number, body: string): Answer {
  expect(answer.text).toBe(body);
  expect(answer.status).toBe(status);
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(answer.headers["cache-control"]).toBe("no-store");
  expectCommonHeaders(answer);
  return answer;
}
