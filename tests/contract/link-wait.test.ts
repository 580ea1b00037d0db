import { describe, expect, inject, test, vi } from "vitest";
import { drawCode } from "@/lib/link/code";
import { MAX_WAITING_OF_NETWORK } from "@/lib/link/wait";
import { type Answer, ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { openSockets } from "@/tests/support/sockets";
import { makeUser } from "@/tests/support/user";
import { whole } from "./answers";
import { allow, approve, deny, newCode, poll } from "./link";

const { knowsNetworks, isOneProcess } = inject("service");
const network = () => newNetwork().id;

/** Asks, and wishes to wait so long. */
const wait = (route: "status" | "user", code: string, prefer: string, from?: string, method?: string) =>
  ask(`/link/${route}`, { query: { code }, headers: { Prefer: prefer }, network: from, method });

const told = ({ status, text, headers }: Answer) => [status, text, headers["preference-applied"]];

// The service looks once a second, for all of them.
describe.concurrent("with Prefer: wait the answer comes when", () => {
  test("the code is approved: first the status, then the token", async () => {
    const [one, other, user] = [await newCode(), await newCode(), await makeUser()];
    const answers = [wait("status", one, "wait=25"), wait("user", other, "wait=20")];
    for (const code of [one, other]) await approve(code, user);
    expect(told((await answers[0]) as Answer)).toEqual([200, '{"status":"linked"}', "wait=25"]);
    expect(told((await answers[1]) as Answer)).toEqual([200, `{"linked":true,"token":"${user.token}"}`, "wait=20"]);
  });

  test("the code is denied, at both routes", async () => {
    const code = await newCode();
    const answers = [wait("status", code, "wait=25"), wait("user", code, "wait=25")];
    await deny(code, await makeUser());
    expect(told((await answers[0]) as Answer)).toEqual([404, '{"status":"denied"}', "wait=25"]);
    expect(told((await answers[1]) as Answer)).toEqual([404, '{"linked":false,"token":""}', "wait=25"]);
  });

  test("the person allows a web page", async () => {
    const [code, user] = [await newCode(), await makeUser()];
    const page = "https://game.example";
    const from = network();
    const headers = { Prefer: "wait=25", Origin: page, "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "cross-site" };
    const answer = ask("/link/user", { query: { code }, headers, network: from });
    await approve(code, user);
    await allow(code, user, knowsNetworks ? from : "unknown", page);
    expect((await answer).body).toEqual({ linked: true, token: user.token });
  });

  test("the time is over", async () => {
    const code = await newCode();
    const answers = await Promise.all([
      wait("status", code, "wait=1"),
      wait("user", code, "wait=1"),
      wait("status", code, "wait=1", undefined, "HEAD"),
    ]);
    expect(answers.map(told)).toEqual([
      [404, '{"status":"pending"}', "wait=1"],
      [404, '{"linked":false,"token":""}', "wait=1"],
      [404, "", "wait=1"],
    ]);
  });
});

test("an answer comes at once where nothing is left to wait for, for 25 seconds at most", async () => {
  const code = await newCode();
  await approve(code, await makeUser());
  expect(told(await wait("status", code, "wait=600"))).toEqual([200, '{"status":"linked"}', "wait=25"]);
  expect(told(await wait("user", code, "respond-async, wait=3;x"))).toEqual([200, expect.any(String), "wait=3"]);
});

test("an answer comes at once for what is no code", async () => {
  expect(told(await wait("status", "abcdß", "wait=25"))).toEqual([404, '{"status":"unknown"}', undefined]);
  expect(told(await wait("user", "", "wait=25"))).toEqual([404, '{"linked":false,"token":""}', undefined]);
});

if (knowsNetworks) {
  test("a stranger gets the same bytes, hit or miss, whatever happens meanwhile", async () => {
    const [home, user] = [network(), await makeUser()];
    const code = await newCode(home);
    const answers = [
      wait("status", code, "wait=1", network()),
      wait("status", drawCode(), "wait=1", network()),
      wait("user", code, "wait=1", network()),
      wait("user", drawCode(), "wait=1", network()),
    ];
    await approve(code, user);
    expect((await poll(code, home)).status).toBe(200);
    const [status, otherStatus, token, otherToken] = (await Promise.all(answers)).map(whole);
    expect(status).toContain('"preference-applied":"wait=1"');
    expect([otherStatus, otherToken]).toEqual([status, token]);
  });
}

if (knowsNetworks && isOneProcess) {
  test(`${MAX_WAITING_OF_NETWORK} requests of a network wait; those that disconnect free slots at once`, async () => {
    const [from, other] = [network(), network()];
    const code = await newCode(from);
    const path = `/link/status?code=${code}`;
    const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${from}\r\nPrefer: wait=15\r\n\r\n`;
    const waiting = await openSockets(MAX_WAITING_OF_NETWORK + 2, origin, head);
    const answered = () => waiting.filter(({ received }) => received().includes("}"));
    await vi.waitFor(() => expect(answered()).toHaveLength(2), 30_000);
    for (const { received } of answered()) expect(received()).not.toMatch(/preference-applied:/i);
    const applied = async (who: string) => (await wait("status", code, "wait=1", who)).headers["preference-applied"];
    expect(await applied(other)).toBe("wait=1");
    for (const { socket } of waiting) socket.destroy();
    await vi.waitFor(async () => expect(await applied(from)).toBe("wait=1"), 30_000);
  });
}
