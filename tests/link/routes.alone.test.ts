import { beforeAll, describe, expect, it } from "vitest";
import * as codeRoute from "@/app/(api)/link/code/route";
import * as userRoute from "@/app/(api)/link/user/route";
import { db } from "@/lib/db/client";
import type { Route } from "@/lib/http/declaration";
import { approveRequest, denyRequest } from "@/lib/link/decide";
import { storedCodeHash } from "@/lib/link/hashes";
import { declareServer, NETWORK_HEADER, type Network, networkHeader } from "@/lib/network";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";

beforeAll(declareServer);

const ORIGIN = { "x-forwarded-proto": "https", "x-forwarded-host": "keys.example.org" };
const NOT_LINKED = '{"linked":false,"token":""}';

function send(
  route: Route,
  address: string,
  network: Network,
  headers: Record<string, string> = {},
  method: keyof Route = "GET",
): Promise<Response> {
  const request = new Request(`http://127.0.0.1:3000${address}`, {
    method,
    headers: { ...ORIGIN, [NETWORK_HEADER]: networkHeader(network), ...headers },
  });
  return route[method](request);
}

const askUser = (query: string, network: Network, headers?: Record<string, string>) =>
  send(userRoute, `/link/user${query}`, network, headers);

async function newCode(network: Network): Promise<{ code: string; id: string }> {
  const { code } = await (await send(codeRoute, "/link/code", network)).json();
  const { id } = await db.linkCode.findUniqueOrThrow({ where: { codeHash: await storedCodeHash(code) } });
  return { code, id };
}

/** Everything of an answer but its request id. */
async function whole(response: Response) {
  const headers = [...response.headers].filter(([name]) => name !== "x-request-id");
  return { status: response.status, headers, body: await response.text() };
}

describe("/link/code", () => {
  it("answers the code alone, and the rest in headers", async () => {
    const response = await send(codeRoute, "/link/code?unknown=1", newNetwork(), { "user-agent": "demo/1.0" });
    const body = await response.text();
    const code = /^\{"code":"([A-HJ-NP-Z]{6})"\}$/.exec(body)?.[1];
    expect(code).toBeDefined();
    expect(response.status).toBe(200);
    expect(response.headers.get("link")).toBe(`<https://keys.example.org/link?code=${code}>; rel="verification"`);
    expect(response.headers.get("link-expires-in")).toBe("600");
    expect(response.headers.get("link-interval")).toBe("2");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  it.each([
    ["HEAD", "HEAD", {}, 405],
    ["POST", "POST", {}, 405],
    ["a prefetch", "GET", { "sec-purpose": "prefetch;prerender" }, 403],
    ["a page's image", "GET", { "sec-fetch-mode": "no-cors" }, 403],
  ] as const)("makes no code for %s", async (_, method, headers, status) => {
    const network = newNetwork();
    expect((await send(codeRoute, "/link/code", network, headers, method)).status).toBe(status);
    expect(await db.linkCode.count({ where: { network: network.id } })).toBe(0);
  });

  it("keeps a hostile User-Agent harmless and short", async () => {
    const network = newNetwork();
    await send(codeRoute, "/link/code", network, { "user-agent": `<script>\u00e9${"x".repeat(5_000)}` });
    const { program } = await db.linkCode.findFirstOrThrow({ where: { network: network.id } });
    expect(program).toMatch(/^<script>\?x{191}$/);
  });
});

describe("/link/user", () => {
  it("answers 200 with the token once the code was approved", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const { code, id } = await newCode(network);
    expect(await (await askUser(`?code=${code}`, network)).text()).toBe(NOT_LINKED);
    await approveRequest({ id: user.id, network }, id);
    const response = await askUser(`?code=${code.toLowerCase()}`, network);
    expect([response.status, await response.text()]).toEqual([200, `{"linked":true,"token":"${user.token}"}`]);
  });

  it("sends the same 404 for everything else", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const [pending, denied, expired, collected] = [
      await newCode(network),
      await newCode(network),
      await newCode(network),
      await newCode(network),
    ];
    await denyRequest({ id: user.id, network }, denied.id);
    await db.linkCode.update({ where: { id: expired.id }, data: { expiresAt: new Date() } });
    await approveRequest({ id: user.id, network }, collected.id);
    expect((await askUser(`?code=${collected.code}`, network)).status).toBe(200);
    await db.linkCode.update({ where: { id: collected.id }, data: { collectedAt: new Date(Date.now() - 61_000) } });
    const expected = await whole(await askUser("?code=QQQQQQ", network));
    expect(expected).toMatchObject({ status: 404, body: NOT_LINKED });
    const queries = [
      "",
      "?",
      "?code",
      "?code=",
      "?code=KMTRW",
      "?code=KMTRWBA",
      "?code=KMT%20RWB",
      "?code=KMT-RWB",
      "?code=KMTRW8",
      "?code=%00",
      "?code=KMTRWB%0A",
    ];
    queries.push(
      "?code=%FF%FE",
      "?code=%",
      "?code=abcd%C3%9F",
      "?code=abcde%C4%B1",
      "?code=abcde%E2%84%AA",
      "?code=abcd%EF%AC%80",
      "?code=%EF%BC%AB%EF%BC%AD%EF%BC%B4RWB",
    );
    queries.push(
      "?code=KMTRWB&code=KMTRWC",
      "?code[]=KMTRWB",
      "?CODE=KMTRWB",
      `?code=${"A".repeat(100_000)}`,
      "?code=%EF%BF%BD",
      "?code=null",
      "?code=KMTRWB;x=1",
    );
    queries.push(...[pending, denied, expired, collected].map(({ code }) => `?code=${code}`));
    for (const query of queries)
      expect({ query: query.slice(0, 40), ...(await whole(await askUser(query, network))) }).toEqual({
        query: query.slice(0, 40),
        ...expected,
      });
  });

  it("keeps its body and says when to come back after too many guesses", async () => {
    const network = newNetwork();
    let last = await askUser("?code=AAAAAA", network);
    for (const letter of "BCDEFGHJKLMNPQRSTUVWXYZ") last = await askUser(`?code=AAAAA${letter}`, network);
    for (const letter of "BCDEFGHJK") last = await askUser(`?code=BBBBB${letter}`, network);
    expect([last.status, await last.text()]).toEqual([429, NOT_LINKED]);
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it.each([
    ["HEAD", "HEAD", {}, 405],
    ["DELETE", "DELETE", {}, 405],
    ["a prefetch", "GET", { purpose: "prefetch" }, 403],
    ["a page's image", "GET", { "sec-fetch-mode": "no-cors" }, 403],
  ] as const)("does not use a code up for %s", async (_, method, headers, status) => {
    const network = newNetwork();
    const user = await makeUser();
    const { code, id } = await newCode(network);
    await approveRequest({ id: user.id, network }, id);
    const response = await send(userRoute, `/link/user?code=${code}`, network, headers, method);
    expect(response.status).toBe(status);
    expect(response.headers.get("allow")).toBe(status === 405 ? "GET, OPTIONS" : null);
    expect(await (await askUser(`?code=${code}`, network)).json()).toEqual({ linked: true, token: user.token });
  });

  it("keeps its body for our own faults", async () => {
    const network = newNetwork();
    const user = await makeUser();
    const { code, id } = await newCode(network);
    await approveRequest({ id: user.id, network }, id);
    await db.user.update({ where: { id: user.id }, data: { tokenSealed: "" } });
    const response = await askUser(`?code=${code}`, network);
    expect([response.status, await response.text()]).toEqual([500, NOT_LINKED]);
  });
});
