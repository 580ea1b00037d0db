import { expect, inject, test } from "vitest";
import { drawCode } from "@/lib/link/code";
import { newPollSecret } from "@/lib/link/poll-secret";
import { db } from "@/lib/platform/db/client";
import { networkBehind } from "@/lib/platform/network/network";
import { type Answer, ask, origin, raw } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { expectNotLinked, expectSuccess, expectUnknown } from "./answers";
import { age, allow, approve, deny, differentLetters, newCode, newCodeAndSecret, newCodes, poll } from "./link";

const { knowsNetworks, isOnVercel } = inject("service");
const network = () => newNetwork().id;

const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

/** Asks for each code in turn, with these headers. */
async function tryAll(codes: string[], headers: () => Record<string, string>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const code of codes) answers.push(await ask("/link/user", { query: { code }, headers: headers() }));
  return answers;
}

/** Everything that comes over the wire, but the date and the request id. */
async function wire(query: string, from: string, secret?: string): Promise<string> {
  const lines = [`Host: ${new URL(origin).host}`, `X-Forwarded-For: ${from}`, "Connection: close"];
  if (secret !== undefined) lines.push(`Link-Secret: ${secret}`);
  const text = await raw(`GET /link/user?${query} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  return text.replace(/^(date|x-request-id): .*\r\n/gim, "");
}

test("all answers without a token are the same bytes, to the program and to others, with any secret", async () => {
  const [home, user, gone] = [network(), await makeUser(), await makeUser()];
  const codes = await newCodes(6, home);
  const [, denied = "", expired = "", late = "", collected = "", disabled = ""] = codes;
  await deny(denied, user);
  await approve(late, user);
  await age(late, user, 301);
  await approve(collected, user);
  await poll(collected, home);
  await age(collected, user, 11);
  await approve(disabled, gone);
  await db.user.update({ where: { id: gone.id }, data: { disabledAt: new Date() } });
  await age(expired, user, 601);
  const queryOf = (code: string) => `code=${encodeURIComponent(code)}`;
  const queries = [...[...codes, drawCode(), "abcdß", "ABCDEF7", ""].map(queryOf), "", "code=A&code=B"];
  const [own, bound, ready] = [
    await newCodeAndSecret(home),
    await newCodeAndSecret(home),
    await newCodeAndSecret(home),
  ];
  await wire(queryOf(bound.code), home, bound.secret);
  for (const { code } of [bound, ready]) await approve(code, user);
  const answers = await Promise.all([
    ...queries.flatMap((query) => [wire(query, home), wire(query, network())]),
    ...[own.secret, newPollSecret()].map((secret) => wire(queryOf(own.code), home, secret)),
    wire(queryOf(denied), home, ""),
    wire(queryOf(bound.code), home),
    wire(queryOf(bound.code), network(), own.secret),
    ...[ready.code, drawCode(), "abcdß"].map((code) => wire(queryOf(code), home, newPollSecret())),
  ]);
  expect(answers[0]).toMatch(/^HTTP\/1.1 404 [\s\S]*\{"linked":false,"token":""\}/);
  expect(new Set(answers).size).toBe(1);
  expect(await wire(queryOf(bound.code), network(), bound.secret)).toContain(user.token);
  expect(await wire(queryOf(ready.code), home)).toContain(user.token);
});

if (knowsNetworks) {
  test("after 30 codes of others, a network gets 429 for all but those that it asked for before", async () => {
    const [user, guesser] = [await makeUser(), network()];
    const status = (code: string) => ask("/link/status", { query: { code }, network: guesser });
    const [own = "", pending = "", unasked = ""] = await newCodes(3, guesser);
    for (const code of [own, pending]) expectNotLinked(await poll(code, guesser));
    const [beyond = "", ...others] = differentLetters(31);
    for (const [n, code] of [...others, ...others].entries())
      if (n % 2 === 0) expectUnknown(await status(code));
      else expectNotLinked(await poll(code, guesser));
    await approve(own, user);
    for (const code of [own.toLowerCase(), own, own])
      expect((await poll(code, guesser)).body).toEqual({ linked: true, token: user.token });
    // Nor is that success a reason to forget its guesses.
    for (const refused of [expectNotLinked(await poll(beyond, guesser), 429), expectUnknown(await status(beyond), 429)])
      expect(refused.headers["retry-after"]).toMatch(/^[1-9]\d*$/);
    expectNotLinked(await poll(unasked, guesser), 429);
    expectNotLinked(await poll(pending, guesser));
    expect((await status(pending)).body).toEqual({ status: "pending" });
    expectNotLinked(await poll(beyond, network()));
  });

  // There, the platform alone says who is behind it.
  if (!isOnVercel)
    test("of the clients of an edge that nobody named, one collects by a press, or by its secret", async () => {
      const [edge, owner, stranger, user] = [network(), network(), network(), await makeUser()];
      const behind = (client: string, more?: Record<string, string>) => ({
        network: edge,
        headers: { "CF-Connecting-IP": client, ...more },
      });
      const newAsked = async () => {
        const { body, headers } = expectSuccess(await ask("/link/code", behind(owner)));
        return { code: String(body?.code), "Link-Secret": String(headers["link-secret"]) };
      };
      const { code } = await newAsked();
      const collect = (client: string, more?: Record<string, string>) =>
        ask("/link/user", { query: { code }, ...behind(client, more) });
      await approve(code, user);
      for (const client of [stranger, owner]) expectNotLinked(await collect(client));
      await allow(code, user, networkBehind(edge, [`cf-connecting-ip=${owner}`]).id);
      for (const name of ["True-Client-IP", "X-Real-IP", "Forwarded"])
        expectNotLinked(await collect(stranger, { [name]: owner }));
      expectNotLinked(await poll(code, edge));
      expect((await collect(owner)).body).toEqual({ linked: true, token: user.token });

      const { code: second, ...secret } = await newAsked();
      await approve(second, user);
      const proven = await ask("/link/user", { query: { code: second }, ...behind(owner, secret) });
      expect(proven.body).toEqual({ linked: true, token: user.token });
    });

  test("30 codes that exist count and answer like 30 that do not: no limit tells hits from misses", async () => {
    const [home, lucky, unlucky, user] = [network(), network(), network(), await makeUser()];
    const codes = await newCodes(31, home);
    for (const code of codes.slice(0, 10)) await deny(code, user);
    const hits = await tryAll(codes, () => ({ "X-Forwarded-For": lucky }));
    const misses = await tryAll(differentLetters(31), () => ({ "X-Forwarded-For": unlucky }));
    const shown = (answers: Answer[]) =>
      answers.map(({ status, text, headers }) => ({
        status,
        text,
        headers: { ...headers, date: "", "x-request-id": "", "retry-after": headers["retry-after"] !== undefined },
      }));
    expect(shown(hits)).toEqual(shown(misses));
    expect(statuses(hits)).toEqual([...Array(30).fill(404), 429]);
  });
} else {
  test("where nobody vouches for an address, headers make no network, and no guesses are counted", async () => {
    const user = await makeUser();
    const code = await newCode(network());
    for (const other of differentLetters(40)) expectNotLinked(await poll(other));
    expectNotLinked(await poll(code, network()));
    expect((await ask("/link/status", { query: { code }, network: network() })).body).toEqual({ status: "pending" });
    await approve(code, user);
    expect((await poll(code, network())).body).toEqual({ linked: true, token: user.token });
  });
}
