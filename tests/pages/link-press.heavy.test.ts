import type { Browser, Page } from "playwright";
import { describe, expect, test } from "vitest";
import { approve, deny } from "@/tests/contract/link";
import { expectGoodLooks } from "@/tests/pages/good-looks";
import { openForEach } from "@/tests/pages/open-for-each";
import { newMember, type Visitor } from "@/tests/pages/visitor";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";

let browser: Browser;
let visitor: Visitor;
let page: Page;
let username: string;
openForEach(newMember, (member, ofAll) => {
  browser = ofAll;
  visitor = member;
  ({ page, username } = member);
});

const AGENT = { "User-Agent": "my-tool/1.0 (Linux)" };
const newCode = async (network: string, headers = {}) =>
  String((await ask("/link/code", { network, headers: { ...AGENT, ...headers } })).body?.code);
const poll = async (code: string, network: string, headers = {}) =>
  (await ask("/link/user", { query: { code }, network, headers: { ...AGENT, ...headers } })).body?.token;
const button = (name: string, on = page) => on.getByRole("button", { name, exact: true });
const heading = (name: string, on = page) => on.getByRole("heading", { name, exact: true }).waitFor();

async function enter(code: string, on = page) {
  await on.goto("/link");
  await on.getByLabel("Code").fill(code);
  await button("Continue", on).click();
  await button("Link this program", on).waitFor();
}

async function link(code: string) {
  await enter(code);
  await button("Link this program").click();
  await heading("Go back to your program");
}

describe("a program on another network", () => {
  test("gets the token when the person presses Allow, and not before", async () => {
    const code = await newCode(visitor.network);
    await link(code);
    const moved = newNetwork().id;
    expect(await poll(code, moved)).toBe("");
    await page
      .getByText(
        "A program on another network wants your token. Allow it only if your program has just changed networks.",
      )
      .waitFor();
    await page.getByText(`It calls itself my-tool on Linux and is asking from ${moved}.`).waitFor();
    await expectGoodLooks(page);
    expect(await poll(code, moved)).toBe("");
    await button("Allow").click();
    await page.getByText("You have allowed it. It gets the token when it asks again.").waitFor();
    expect(await poll(code, newNetwork().id)).toBe("");
    expect(await poll(code, moved)).toMatch(/^lk_/);
    await heading("Your program is linked");
    await page.getByText(moved).first().waitFor();
    await expectGoodLooks(page);
    visitor.expectCalm();
  });

  test("gets nothing when the person turns it away, and the program itself still does", async () => {
    const code = await newCode(visitor.network);
    await link(code);
    const stranger = newNetwork().id;
    expect(await poll(code, stranger)).toBe("");
    await button("Don't allow").click();
    await button("Don't allow").waitFor({ state: "detached" });
    expect(await poll(code, stranger)).toBe("");
    expect(await poll(code, visitor.network)).toMatch(/^lk_/);
    await heading("Your program is linked");
    await page.getByText("A program on 1 other network has asked for this token.").waitFor();
  });
});

test("a web page of another site is named before it is linked, and needs the press", async () => {
  const evil = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };
  const code = await newCode(visitor.network, evil);
  await enter(code);
  await page.getByText("A web page at evil.example is asking for access.").waitFor();
  await expectGoodLooks(page);
  await button("Link this program").click();
  await heading("Go back to your program");
  expect(await poll(code, visitor.network, evil)).toBe("");
  await page.getByText("A web page at evil.example wants your token.").waitFor();
  // It asks from the network that asked for the code, and is named above.
  expect(await page.getByText("other network").count()).toBe(0);
  await expectGoodLooks(page);
  expect(await poll(code, visitor.network)).toBe("");
});

test("a repeated collection is shown, and who else entered the code", async () => {
  const code = await newCode(visitor.network);
  const onlooker = await newMember(browser);
  await enter(code, onlooker.page);
  await link(code);
  for (let time = 0; time < 3; time++) expect(await poll(code, visitor.network)).toMatch(/^lk_/);
  await heading("Your program is linked");
  await page.getByText("It asked again 2 times").waitFor();
  await page.getByText("1 other person has entered this code.").click();
  await page.getByText(onlooker.username).waitFor();
  await page.getByText(onlooker.network).waitFor();
  await expectGoodLooks(page);
  await onlooker.context.close();
});

describe("an onlooker in an account of his own", () => {
  test.each([
    ["linked", approve],
    ["denied", deny],
  ])(
    "sees the same page when the code was %s, however often he looks, and is told nothing but that it is of no use",
    async (_, happens) => {
      const code = await newCode(newNetwork().id);
      await enter(code);
      const words = async () =>
        ((await page.getByRole("main").textContent()) ?? "").replace(
          /\d+ (?:second|minute)s? ago|A moment ago|\d+:\d\d/g,
          "",
        );
      const before = await words();
      await happens(code, await makeUser());
      await page.reload();
      await button("Link this program").waitFor();
      expect(await words()).toBe(before);
      await button("Enter another code").click();
      await page.getByLabel("Code").waitFor();
      await enter(code);
      expect(await words()).toBe(before);
      expect(before).toContain(username);
      await button("Link this program").click();
      await heading("This code can't be used");
      await expectGoodLooks(page);
    },
  );
});
