import { beforeAll, expect, test } from "vitest";
import { migrate } from "@/lib/platform/db/migrate";
import { declareServer } from "@/lib/platform/network/network";
import { ask, listen, type Received } from "./service";

beforeAll(async () => {
  declareServer();
  await migrate();
});

async function answerTo(line: string, more: string[] = []): Promise<Received> {
  await using service = await listen();
  return await ask(service.port, line, ["Host: localhost", ...more]);
}
const answerOf = (target: string) => answerTo(`GET ${target}`);

function expectError(answer: Received, status: number, code: string) {
  expect([answer.status, answer.headers["content-type"]]).toEqual([status, "application/json; charset=utf-8"]);
  const body = JSON.parse(answer.body);
  expect(body).toEqual({ success: false, error: body.message, message: expect.stringMatching(/\.$/), code });
  expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
}

test.each([
  ..."/ /keys /keys/ /keys?user=a /link /link/ /link?code=KMTRWB /files /files/a /account".split(" "),
  ..."/keysmith /me-too /api/auth/csrf /KEYS/create".split(" "),
])("%s is Next's", async (target) => {
  const answer = await answerOf(target);
  expect([answer.status, JSON.parse(answer.body).url]).toEqual([200, target]);
  expect(answer.headers["x-request-id"]).toBe(JSON.parse(answer.body).headers["x-request-id"]);
});

test.each([
  ..."/keys/create/ /keys/unknown /keys/get /keys/get/ /keys/get/a/b //keys/create /keys//create /keys//".split(" "),
  ..."/link/codes /me/ /me/a //me /health/ /health/x?y=1 /read-files/ /openapi.json/ /keys/%63reate/".split(" "),
  ..."/link/__proto__ /link/constructor /keys/get/%2e%2e/nothing".split(" "),
])("%s is a JSON 404", async (target) => expectError(await answerOf(target), 404, "not_found"));

test.each(["/health#part", "/keys/../health"])(
  "%s is /health: a part is no path, and dots are resolved (RFC 3986, section 5.2.4)",
  async (target) => expect((await answerOf(target)).status).toBe(200),
);

test.each([
  ...["/keys/get/%zz", "/keys/get/%C3%28"].map((path) => [path, 401, "missing_token"] as const),
  ["/keys/check/%E0%A4%A", 400, "invalid_parameter"],
  // No page could decode them.
  ...["/%", "/account/%ff", "/link%", "/_next/static/%c0%af"].map((path) => [path, 400, "bad_request"] as const),
] as const)("%s is a client's mistake", async (target, status, code) => {
  expectError(await answerOf(`${target}?key=a`), status, code);
});

test.each(["/keys\\create", "/me\\..\\health", "/keys/get\\a"])("a backslash in %s gets no further", async (target) => {
  const answer = await answerOf(target);
  if (answer.status !== 200) expectError(answer, 400, "bad_request");
  else expect(JSON.parse(answer.body).url).toBe(target);
});

test("an unsupported upgrade is treated like any request", async () => {
  const upgrade = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: a", "Sec-WebSocket-Version: 13"];
  expect(await answerTo("GET /health", upgrade).catch(String)).toMatchObject({ status: 200 });
});
