import { describe, expect, it } from "vitest";
import { allowProgram, approveRequest } from "@/lib/link/approve";
import { requesterOf } from "@/lib/link/limits";
import { viewRequest } from "@/lib/link/view";
import { db } from "@/lib/platform/db/client";
import { newNetwork } from "@/tests/support/request";
import { approved, at, collect, requested, START } from "./flow";

const EVIL = "https://evil.example";
const GAME = "https://game.example";
const OWN = "https://keys.example.org";
const SISTER = "https://blog.example.org";

describe("a web page of another site, in the browser of who visits it", () => {
  it("is named before it is linked, and gets nothing without the person's word, whatever its secret", async () => {
    for (const useSecret of [false, true]) {
      const { code, id, secret, network, user, actor } = await requested(newNetwork(), START, { webPage: EVIL });
      const poll = (seconds: number) =>
        collect(code, network, at(seconds), { webPage: EVIL, secret: useSecret ? secret : null });
      expect(await poll(1)).toBeNull();
      expect(await viewRequest(actor, id, at(1))).toMatchObject({ webPage: EVIL });
      await approveRequest(actor, id, { now: at(2) });
      expect(await poll(3)).toBeNull();
      expect((await viewRequest(actor, id, at(3)))?.onlookers?.pending).toMatchObject([
        { webPage: EVIL, network: network.id, isAllowed: false },
      ]);
      await allowProgram(user.id, id, { network: network.id, webPage: EVIL, now: at(4) });
      expect(await poll(5)).toEqual({ token: user.token });
    }
  });

  it("does not collect for a program of the visitor's network whose letters somebody saw", async () => {
    const { code, network, user } = await approved();
    expect(await collect(code, network, at(1), { webPage: EVIL })).toBeNull();
    expect(await collect(code, network, at(2))).toEqual({ token: user.token });
    expect(await collect(code, network, at(3), { webPage: EVIL })).toBeNull();
  });

  it("is not allowed by the word for another page of the same network, nor is a program there", async () => {
    const { code, id, network, user } = await approved(newNetwork(), START, { webPage: GAME });
    await allowProgram(user.id, id, { network: network.id, webPage: GAME, now: at(2) });
    expect(await collect(code, network, at(3), { webPage: EVIL })).toBeNull();
    expect(await collect(code, network, at(3))).toBeNull();
    expect(await collect(code, network, at(4), { webPage: GAME })).toEqual({ token: user.token });
    expect(await db.linkCode.findUniqueOrThrow({ where: { id } })).toMatchObject({ collectedWebPage: GAME });
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
