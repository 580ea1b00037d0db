import { beforeEach, describe, expect, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { expectGoodLooks } from "./good-looks";
import { codeFrom, enter, link } from "./link-program";
import { button, heading, press, pressTo, told } from "./on-page";
import { makeSignedIn, newSignedIn, newVisitor, openReady, PASSWORD, submitAccount } from "./visitor";

// A link to the page with a code in it, which anybody can have sent.

const visitor = await newSignedIn();
const { page } = visitor;
beforeEach(() => visitor.context.clearCookies({ name: /\.link\./ }));

const DENY = "If someone gave you this code, deny it.";
const box = (on = page) => on.getByRole("checkbox", { name: /^Yes, / });
const grouped = (code: string) => `${code.slice(0, 3)} ${code.slice(3)}`;
const poll = async (code: string, network: string) =>
  (await ask("/link/user", { query: { code }, network, headers: { "User-Agent": "my-tool/1.0 (Linux)" } })).body?.token;

/** Opens a link with the code of a program on this network. Returns the code. */
async function follow(network: string, headers = {}): Promise<string> {
  const code = await codeFrom(network, headers);
  await page.goto(`/link?code=${code}`);
  await button(page, "Link this program").waitFor();
  await told(page, DENY);
  return code;
}

describe("a link with a code of another network", () => {
  test("links nothing before the user says that the program shows these letters, and then does", async () => {
    const network = newNetwork().id;
    const code = await follow(network);
    await told(page, "The request came from another network");
    expect(await box().isChecked()).toBe(false);
    await page.getByRole("checkbox", { name: `Yes, my program shows ${grouped(code)}` }).waitFor();
    await expectGoodLooks(page);
    await press(page, "Link this program");
    expect(await box().evaluate((one: HTMLInputElement) => one.validity.valueMissing)).toBe(true);
    // A page that was changed links nothing either.
    await box().evaluate((one: HTMLInputElement) => one.removeAttribute("required"));
    await press(page, "Link this program", "Compare the letters with those in your program");
    expect(await poll(code, network)).toBe("");
    await box().check();
    await link(page);
    expect(await poll(code, network)).toMatch(/^lk_/);
  });

  test("asks about the page, if a web page shows the letters", async () => {
    const headers = { Origin: "https://game.example", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors" };
    const code = await follow(newNetwork().id, headers);
    await page.getByRole("checkbox", { name: `Yes, that page shows ${grouped(code)}` }).waitFor();
    await expectGoodLooks(page);
  });

  test.each(["%0A", "%0D%0A", "%20", "%E2%80%8B"])("asks with %j between its letters, too", async (between) => {
    const code = await codeFrom(newNetwork().id);
    await page.goto(`/link?code=${code.slice(0, 3)}${between}${code.slice(3)}${between}`);
    await button(page, "Link this program").waitFor();
    expect(await box().count()).toBe(1);
  });

  test("asks also if the link is pasted into the field, which then shows its code", async () => {
    const code = await codeFrom(newNetwork().id);
    await openReady(page, "/link");
    await page.getByLabel("Code").fill(`Open ${origin}/link?code=${code}.`);
    expect(await page.getByLabel("Code").inputValue()).toBe(code);
    await press(page, "Continue");
    await box().waitFor();
  });

  test("is denied by one press", async () => {
    await follow(newNetwork().id);
    await pressTo(page, "Deny", "Denied");
  });

  test("asks also after signing in, by whichever way", async () => {
    const signedOut = await newVisitor(visitor.network);
    const { username } = await newSignedIn();
    const code = await codeFrom(newNetwork().id);
    await signedOut.page.goto(`/link?code=${code}`);
    await signedOut.page.getByRole("navigation").getByRole("link", { name: "Sign in" }).click();
    await submitAccount(signedOut.page, "Sign in", username, PASSWORD);
    await press(signedOut.page, "Continue");
    await box(signedOut.page).waitFor();
  });
});

test("a link with a code of an unknown network asks, too", async () => {
  const unknown = await newVisitor("127.0.0.1", { extraHTTPHeaders: {} });
  await makeSignedIn(unknown);
  await unknown.page.goto(`/link?code=${await codeFrom(newNetwork().id)}`);
  await box(unknown.page).waitFor();
});

test("a link with a code of the user's own network needs one press", async () => {
  const code = await follow(visitor.network);
  expect(await box().count()).toBe(0);
  await link(page);
  expect(await poll(code, visitor.network)).toMatch(/^lk_/);
});

test("letters that the user types have been compared, also after a link with them", async () => {
  const network = newNetwork().id;
  const code = await follow(network);
  await enter(page, code.toLowerCase());
  await button(page, "Link this program").waitFor();
  await told(page, DENY);
  expect(await box().count()).toBe(0);
  await link(page);
  await heading(page, "Go back to your program");
  expect(await poll(code, network)).toMatch(/^lk_/);
});
