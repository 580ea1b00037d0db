import { describe, expect, test } from "vitest";
import { OPERATOR } from "@/lib/platform/audit";
import { blockNetwork, unblockNetwork } from "@/lib/platform/network/block";
import { blockedNetwork } from "@/tests/support/blocked-network";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { NO_KEY } from "./keys";

const NAVIGATION = {
  Accept: "text/html,application/xhtml+xml",
  "Sec-Fetch-Mode": "navigate",
  "Sec-Fetch-Dest": "document",
};

describe("a blocked network", () => {
  const API = ["/me", "/get_user", "/v2/me", "/keys/mine", `/keys/get/${NO_KEY}`, "/read-files", "/keys/nothing"];
  const LINK = ["/link/code", "/link/user?code=KMTRWB", "/link/status?code=KMTRWB"];
  const OTHERS = ["/openapi.json", "/validate", "/oauth/token", "/.well-known/jwks.json", "/metrics"];
  const PAGES = ["/", "/keys", "/link", "/signin", "/docs", "/files", "/nothing/at/all"];
  const BEHIND_PAGES = ["/files/folders", "/files/content?id=x", "/files/export", "/keys.csv", "/account/archive"];
  const AUTH = ["/api/auth/session", "/api/auth/csrf"];

  /** Java's HttpURLConnection sends the second of these by itself. */
  const HEADERS: Record<string, string>[] = [
    { Accept: "*/*" },
    { Accept: "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2" },
    { Accept: "text/html" },
    NAVIGATION,
  ];
  test.each(HEADERS)("gets JSON from the API with %j, and with the first of these from all else", async (sent) => {
    const [network, { token }] = [await blockedNetwork(), await makeUser()];
    const headers = { ...sent, Authorization: `Bearer ${token}` };
    const more = sent === HEADERS[0] ? [...PAGES, ...BEHIND_PAGES, ...AUTH] : [];
    for (const path of [...API, ...LINK, ...OTHERS, ...more]) {
      // Other methods are for Next to refuse, where it comes first.
      const method = path === "/files/folders" ? "POST" : "GET";
      const answer = await ask(path, { method, network, headers });
      expect([path, answer.status, answer.body?.code]).toEqual([path, 403, "network_blocked"]);
      expect(answer.headers).toMatchObject({
        "content-type": expect.stringMatching(/^application\/json/),
        "cache-control": "no-store",
      });
      if (!path.startsWith("/files/"))
        expect(answer.body?.message).toMatch(/does not accept requests from your network/);
    }
  });

  test.each(["/", "/keys", "/link", "/nothing", "/docs"])("gets a page from %s", async (path) => {
    const { status, text, headers } = await ask(path, { network: await blockedNetwork(), headers: NAVIGATION });
    expect(status).toBe(403);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(text).toContain("<h1>Your network is blocked</h1>");
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
  });

  test.each(["POST", "PUT", "DELETE", "OPTIONS", "HEAD"])("gets 403 for %s", async (method) => {
    const network = await blockedNetwork();
    for (const path of ["/me", "/signin"])
      expect((await ask(path, { method, network, headers: { "Content-Length": "0" } })).status, path).toBe(403);
  });

  test("still gets the health of the service", async () => {
    const network = await blockedNetwork();
    for (const path of ["/health", "/live", "/ready"]) expect((await ask(path, { network })).status).toBe(200);
  });

  test("cannot pass for another, nor bring others under its block", async () => {
    const network = await blockedNetwork();
    const other = newNetwork().id;
    // The proxy appends the address that it sees: what is before it, anybody may have written.
    expect((await ask("/docs", { network: `${other}, ${network}` })).status).toBe(403);
    const headers = { "X-Real-IP": network, Forwarded: `for=${network}`, "X-Latchkey-Network": `remote ${network}` };
    expect((await ask("/openapi.json", { network: `${network}, ${other}`, headers })).status).toBe(200);
    expect((await ask("/openapi.json", { network, headers: { "X-Latchkey-Network": `remote ${other}` } })).status).toBe(
      403,
    );
  });

  test("is refused and taken again, wherever it asks", async () => {
    const { id } = newNetwork();
    const until = async (status: number, change: () => Promise<unknown>) => {
      await change();
      // In a row, because a load balancer passes them to the processes in turn.
      for (let right = 0; right < 6; )
        right = (await ask("/openapi.json", { network: id })).status === status ? right + 1 : 0;
    };
    await until(200, async () => {});
    await until(403, () => blockNetwork({ network: id, seconds: 3_600, reason: "" }, { actorId: OPERATOR }));
    await until(200, () => unblockNetwork(id, { actorId: OPERATOR }));
  });
});
