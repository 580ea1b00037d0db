import { describe, expect, inject, test } from "vitest";
import { drawCode, newPollSecret } from "@/lib/link/code";
import { db } from "@/lib/platform/db/client";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { expectNotLinked, expectSuccess, expectUnknown, whole } from "./answers";
import { approve, deny, differentLetters, newCode, newCodeAndSecret, newCodes, poll } from "./link";

const { knowsNetworks } = inject("service");
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

    test("after 30 codes of others with status 429, at this route and at /link/user", async () => {
      const guesser = network();
      const own = await newCode(guesser);
      expect((await status(own, guesser)).body).toEqual({ status: "pending" });
      const [beyond = "", ...others] = differentLetters(31);
      for (const [n, code] of others.entries())
        if (n % 2 === 0) expectUnknown(await status(code, guesser));
        else expectNotLinked(await poll(code, guesser));
      const refused = expectUnknown(await status(beyond, guesser), 429);
      expect(refused.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
      expectNotLinked(await poll(beyond, guesser), 429);
      expect((await status(own, guesser)).body).toEqual({ status: "pending" });
    });
  } else {
    test("but where nobody vouches for an address, everybody is in one network", async () => {
      const code = await newCode(network());
      expect((await status(code, network())).body).toEqual({ status: "pending" });
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
