import { describe, expect, it } from "vitest";
import { tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import { approveRequest } from "@/lib/link/approve";
import { linkedPrograms } from "@/lib/link/list";
import { requesterOf } from "@/lib/link/requester";
import { viewRequest } from "@/lib/link/view";
import { codeOfOpener } from "@/lib/link/window";
import { db } from "@/lib/platform/db/client";
import { newNetwork } from "@/tests/support/request";
import { allow, approved, at, collect, neverIssued, requested, START } from "./flow";

/** A token of the page's own: whoever can change the page could use the account's. */
const OWN_TOKEN = { token: expect.stringMatching(/^lkt_/) };
const HIDDEN = "null";
const EVIL = "https://evil.example";
const GAME = "https://game.example";
const OWN = "https://keys.example.org";
const SISTER = "https://blog.example.org";

describe("a web page of another site, in the browser of who visits it", () => {
  it("is named and gets nothing before it is linked, whatever its secret; then it needs no more", async () => {
    for (const useSecret of [false, true]) {
      const { code, id, secret, network, actor } = await requested(newNetwork(), START, { webPage: GAME });
      const poll = (seconds: number, webPage = GAME) =>
        collect(code, network, at(seconds), { webPage, secret: useSecret ? secret : null });
      expect(await poll(1)).toBeNull();
      expect(await viewRequest(actor, id, at(1))).toMatchObject({ webPage: GAME, name: "game.example" });
      await approveRequest(actor, id, { now: at(2) });
      expect((await viewRequest(actor, id, at(3)))?.onlookers?.pending).toEqual([]);
      if (!useSecret) expect(await poll(3, EVIL)).toBeNull();
      expect(await poll(4)).toEqual(OWN_TOKEN);
    }
  });

  it("that hides its address gets nothing without a permission after it was linked, whatever its secret", async () => {
    for (const useSecret of [false, true]) {
      const { code, id, secret, network, user, actor } = await requested(newNetwork(), START, { webPage: HIDDEN });
      const poll = (seconds: number) =>
        collect(code, network, at(seconds), { webPage: HIDDEN, secret: useSecret ? secret : null });
      expect(await poll(1)).toBeNull();
      expect(await viewRequest(actor, id, at(1))).toMatchObject({ webPage: HIDDEN, name: "" });
      await approveRequest(actor, id, { now: at(2) });
      expect(await poll(3)).toBeNull();
      expect((await viewRequest(actor, id, at(3)))?.onlookers?.pending).toMatchObject([
        { webPage: HIDDEN, network: network.id, isAllowed: false },
      ]);
      await allow(user, id, { network, webPage: HIDDEN, now: at(4) });
      expect((await viewRequest(actor, id, at(4)))?.onlookers?.pending).toEqual([]);
      expect(await poll(5)).toEqual(OWN_TOKEN);
    }
  });

  it("is the name of its token, and of its program in lists; of a long host, the end", async () => {
    const long = `https://${"a".repeat(40)}.evil.example`;
    for (const [webPage, name] of [
      [GAME, "game.example"],
      [long, `...${"a".repeat(24)}.evil.example`],
    ] as const) {
      const { code, id, network, actor } = await requested(newNetwork(), START, { webPage, name: "Your bank" });
      await approveRequest(actor, id, { choice: { access: "identity", days: null }, now: at(2) });
      expect(await collect(code, network, at(3), { webPage })).not.toBeNull();
      expect(await viewRequest(actor, id, at(4))).toMatchObject({ token: { name }, name: webPage.slice(8) });
    }
  });

  it("never gets the account's token, and can ask for less than everything", async () => {
    const { id, actor } = await requested(newNetwork(), START, { webPage: GAME });
    await expect(approveRequest(actor, id, { choice: "account", now: at(1) })).rejects.toMatchObject({
      code: "access_too_wide",
    });
    const { user, ...less } = await requested(newNetwork(), START, { webPage: GAME, access: "read" });
    await approveRequest(less.actor, less.id, { now: at(1) });
    expect(await tokensOf(user.id)).toMatchObject([{ name: "game.example", access: "read" }]);
    expect(await linkedPrograms(user.id, at(2))).toEqual([]);
  });

  it("does not collect for a program of the visitor's network whose letters somebody saw", async () => {
    const { code, network, user } = await approved();
    expect(await collect(code, network, at(1), { webPage: EVIL })).toBeNull();
    expect(await collect(code, network, at(2))).toEqual({ token: user.token });
    expect(await collect(code, network, at(3), { webPage: EVIL })).toBeNull();
  });

  it("is not allowed by the word for another page of the same network, nor is a program there", async () => {
    const { code, id, network } = await approved(newNetwork(), START, { webPage: GAME });
    expect(await collect(code, network, at(3), { webPage: EVIL })).toBeNull();
    expect(await collect(code, network, at(3))).toBeNull();
    expect(await collect(code, network, at(4), { webPage: GAME })).toEqual(OWN_TOKEN);
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ collectedWebPage: GAME });
  });
});

describe("the page that opened the window", () => {
  const PLAIN = "http://192.0.2.7:3000";
  const isBelieved = async (origin: string, { webPage = origin, service = OWN } = {}) => {
    const { code, secret } = await requested(newNetwork(), START, { webPage });
    const asked = codeOfOpener({ code, secret, origin }, service, at(1));
    return asked.then(
      (found) => found === code,
      (error) => error.code !== "code_unusable",
    );
  };

  it.each([
    [GAME, true],
    ["http://game.example", false],
    ["http://localhost:8000", true],
    ["http://game.localhost:8000", true],
    ["http://127.0.0.1:8000", true],
    ["http://[::1]:8000", true],
    ["http://127.0.0.1.game.example", false],
    ["http://localhost.game.example", false],
    ["file://", false],
    ["chrome-extension://abcdefghijklmnop", false],
    [HIDDEN, false],
    ["", false],
    [OWN, false],
    [`${GAME}/`, false],
    ["https://GAME.example", false],
    ["https://game.example:443", false],
  ])("is believed if nobody on the way can change it: %s %s", async (origin, expected) => {
    expect(await isBelieved(origin)).toBe(expected);
  });

  it("needs no HTTPS where the service has none", async () => {
    expect(await isBelieved("http://192.0.2.9", { service: PLAIN })).toBe(true);
  });

  it("is the one that asked for the code, with its secret, while it can be decided", async () => {
    expect(await isBelieved(EVIL, { webPage: GAME })).toBe(false);
    const { code, secret, id, actor } = await requested(newNetwork(), START, { webPage: GAME });
    const ask = (change: object, now = at(1)) => codeOfOpener({ code, secret, origin: GAME, ...change }, OWN, now);
    expect(await ask({})).toBe(code);
    const unusable = { code: "code_unusable" };
    for (const change of [{ secret: "" }, { secret: `${secret}A` }, { code: neverIssued() }, { code: `${code}A` }])
      await expect(ask(change)).rejects.toMatchObject(unusable);
    await expect(ask({}, at(600))).rejects.toMatchObject(unusable);
    await approveRequest(actor, id, { now: at(2) });
    await expect(ask({}, at(3))).rejects.toMatchObject(unusable);
  });
});

const pageOf = (headers: Record<string, string>) => requesterOf(new Headers(headers), newNetwork(), OWN).webPage;

it.each<[string, Record<string, string>, string | null]>([
  ["no browser", {}, null],
  ["this site itself", { origin: OWN, "sec-fetch-site": "same-origin" }, null],
  ["somebody who typed the address", { "sec-fetch-site": "none" }, null],
  ["another site", { origin: EVIL, "sec-fetch-site": "cross-site" }, EVIL],
  ["a sister of this site", { origin: SISTER, "sec-fetch-site": "same-site" }, SISTER],
  ["this host by another scheme", { origin: "http://keys.example.org" }, "http://keys.example.org"],
  ["this host at another port", { origin: `${OWN}:8443` }, `${OWN}:8443`],
  ["a frame or a file that hides where it is from", { origin: "null" }, "null"],
  ["another site that sends no origin", { "sec-fetch-site": "cross-site" }, "null"],
  ["a sister of this site that sends none", { "sec-fetch-site": "same-site" }, "null"],
  ["a script of this site, without an origin", { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" }, OWN],
  ["one with it", { origin: OWN, "sec-fetch-site": "same-origin", "sec-fetch-mode": "same-origin" }, OWN],
  ["a script of an extension", { "sec-fetch-site": "none", "sec-fetch-mode": "cors" }, "null"],
  ["somebody who followed a link", { "sec-fetch-site": "same-origin", "sec-fetch-mode": "navigate" }, null],
  ["Node's fetch, which is no page", { "sec-fetch-mode": "cors" }, null],
  ["an empty origin", { origin: "" }, "null"],
  ["what cannot be printed", { origin: "https://e\u00e9 vil.example" }, "https://e??vil.example"],
  ["a long name", { origin: `https://${"a".repeat(300)}.evil.example` }, `...${"a".repeat(107)}.evil.example`],
])("whether a web page asks: %s", (_, headers, page) => expect(pageOf(headers)).toBe(page));
