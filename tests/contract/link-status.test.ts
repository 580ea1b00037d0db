import { describe, expect, inject, test, vi } from "vitest";
import { drawCode } from "@/lib/link/code";
import { newPollSecret } from "@/lib/link/poll-secret";
import { MAX_WAITING_OF_NETWORK } from "@/lib/link/wait";
import { db } from "@/lib/platform/db/client";
import { type Answer, ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { openSockets } from "@/tests/support/sockets";
import { makeUser } from "@/tests/support/user";
import { expectSuccess, expectUnknown, whole } from "./answers";
import { approve, deny, newCode, newCodeAndSecret, newCodes, poll } from "./link";

const { knowsNetworks, isOneProcess } = inject("service");
const network = () => newNetwork().id;

const status = (code: string, from?: string, headers?: Record<string, string>) =>
  ask("/link/status", { query: { code }, network: from, headers });

describe("the program that a code was issued to learns its status", () => {
  test("from pending to collected", async () => {
    const [code, user] = [await newCode(), await makeUser()];
    const before = await status(code);
    expect([before.status, before.text]).toEqual([404, '{"status":"pending"}']);
    await approve(code, user);
    for (const _ of ["first", "again"])
      expect(expectSuccess(await status(code.toLowerCase())).text).toBe('{"status":"linked"}');
    expect((await poll(code)).status).toBe(200);
    const after = await status(code);
    expect([after.status, after.text]).toEqual([404, '{"status":"collected"}']);
  });

  test("from any network by its secret, and from a web page", async () => {
    const { code, secret } = await newCodeAndSecret(network());
    const page = { Origin: "https://game.example", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Site": "cross-site" };
    for (const headers of [{}, page])
      expect((await status(code, network(), { ...headers, "Link-Secret": secret })).body).toEqual({
        status: "pending",
      });
  });

  test("without a body, by HEAD", async () => {
    const [code, user] = [await newCode(), await makeUser()];
    await approve(code, user);
    const answer = await ask("/link/status", { method: "HEAD", query: { code } });
    expect([answer.status, answer.text]).toEqual([200, ""]);
    expect((await ask("/link/status", { method: "HEAD", query: { code: drawCode() } })).status).toBe(404);
  });
});

describe("everybody else gets the same 404, byte for byte", () => {
  test("for codes that are malformed, unknown, or asked about with a wrong secret", async () => {
    const code = await newCode();
    const answers = [expectUnknown(await status(code, undefined, { "Link-Secret": newPollSecret() }))];
    for (const query of ["", "code", "code=", "code=abcd%C3%9F", "code=KMTRW", `code=${code}&code=${code}`, "CODE=A"])
      answers.push(expectUnknown(await ask(`/link/status?${query}`)));
    answers.push(expectUnknown(await status(drawCode())));
    expect(new Set(answers.map(whole)).size).toBe(1);
  });

  if (knowsNetworks) {
    test("to another network, whatever the state", async () => {
      const [home, stranger, user] = [network(), network(), await makeUser()];
      const [pending = "", denied = "", ready = "", collected = ""] = await newCodes(4, home);
      const bound = await newCodeAndSecret(home);
      await deny(denied, user);
      await approve(ready, user);
      await approve(collected, user);
      await poll(collected, home);
      await status(bound.code, home, { "Link-Secret": bound.secret });
      const answers = [];
      for (const code of [pending, denied, ready, collected, bound.code, drawCode()])
        answers.push(expectUnknown(await status(code, stranger)));
      // Once the secret was used, a program without it is a stranger in the code's own network, too.
      answers.push(expectUnknown(await status(bound.code, home)));
      expect(new Set(answers.map(whole)).size).toBe(1);
    });
  }
});

test("a picture in somebody's page asks nothing: the person is not told of a stranger", async () => {
  const [code, user] = [await newCode(), await makeUser()];
  const headers = { "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image", "Sec-Fetch-Site": "cross-site" };
  expect((await status(code, network(), headers)).status).toBe(403);
  await approve(code, user);
  const { id } = await db.linkCode.findFirstOrThrow({ where: { userId: user.id } });
  expect(await db.auditEvent.count({ where: { subjectId: id, action: "link.look" } })).toBe(0);
});

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
