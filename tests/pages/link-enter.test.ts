import { describe, expect, test } from "vitest";
import { cookieAt } from "@/lib/accounts/session/session-cookie";
import { sealTicket } from "@/lib/link/ticket";
import { newId } from "@/lib/platform/ids";
import { ask, origin } from "@/tests/support/http";
import { newUsername } from "@/tests/support/user";
import { codeFrom, enter, plate, startProgram } from "./link-program";
import { button, enterInto, heading, holdBack, press, pressTo, tabTo, told } from "./on-page";
import { me, newSignedIn, newVisitor, openReady, openSessionIn, PASSWORD, submitAccount } from "./visitor";

const window = await newVisitor();
const { page, context, network, expectCalm } = window;

describe("the program's own address", () => {
  test("goes straight to the question, and links nothing, however often; one of no code says so", async () => {
    const { username, token } = await newSignedIn(window);
    await page.goto("/link?code=QXQXQX");
    await told(page, "This code can't be used.");
    expect(await page.getByLabel("Code").inputValue()).toBe("QXQXQX");
    expect(new URL(page.url()).search).toBe("");
    // While one is looked up, no letters of another get in.
    const goOn = await holdBack(page, "**/link");
    await enterInto(page, { Code: "QXQXQZ" });
    await expect.poll(() => button(page, "Continue").isEnabled()).toBe(false);
    await page.keyboard.type("MORE");
    goOn();
    await button(page, "Continue").and(page.locator(":enabled")).waitFor();
    await page.unrouteAll();
    expect(await page.getByLabel("Code").inputValue()).toBe("QXQXQZ");

    const program = await startProgram(network);
    for (const path of [program.page, "/link", program.page]) {
      await page.goto(path);
      await heading(page, `Link curl to ${username}?`);
    }
    expect(page.url()).not.toContain(program.code);
    expect(await program.poll()).toEqual({ linked: false, token: "" });
    await press(page, "Link this program");
    expect(await program.token()).toBe(token);
    expectCalm();
  });

  test("lets a newcomer make an account, link a program and revoke its access by keyboard alone", async () => {
    await context.clearCookies();
    const program = await startProgram(network);
    const username = newUsername();
    const pressOn = async (name: string, key = "Enter") => {
      await tabTo(page, name);
      await page.keyboard.press(key);
    };
    await page.goto(program.page);
    expect(await page.getByLabel("Code").inputValue()).toBe(program.code);
    await pressOn("Code");
    await heading(page, "Sign in to continue");
    expect(page.url()).not.toContain(program.code);
    await pressOn("Sign up");
    await heading(page, "Sign up to continue");
    expect(await plate(page).textContent()).toBe(program.code);
    await tabTo(page, "Username");
    await page.keyboard.type(username);
    await tabTo(page, "Password");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await heading(page, `Link curl to ${username}?`);
    expect((await program.poll())?.linked).toBe(false);
    await button(page, "Link this program").click({ trial: true });
    await pressOn("Link this program", "Space");
    await heading(page, "Go back to your program");
    const token = await program.token();
    expect((await me(token))?.username).toBe(username);
    await heading(page, "Your program is linked");
    await pressOn("Not you? Revoke access");
    await pressOn("Revoke access");
    await heading(page, "Access revoked");
    expect((await me(token))?.code).toBe("invalid_token");
  });

  test("is the only one that has the code; no Referer has it, and no cookie that can be read", async () => {
    const { username, token } = await newSignedIn(window);
    await context.clearCookies();
    const program = await startProgram(network);
    const { code } = program;
    const sent: Promise<string[]>[] = [];
    page.on("request", (request) => {
      // A request that the next page cancelled has no more than its address.
      const seen = request.allHeaders().catch((): Record<string, string> => ({}));
      sent.push(seen.then(({ referer = "" }) => [request.url(), referer]));
    });

    await page.goto(`/link?code=${code}`);
    await page.waitForURL(`${origin}/link`);
    await pressTo(page, "Continue", "Sign in to continue");

    const ticket = (await context.cookies(`${origin}/link`)).find(({ name }) => name.includes(".link."));
    expect(ticket).toMatchObject({ httpOnly: true, sameSite: "Lax", path: "/link" });
    expect(Buffer.from(decodeURIComponent(ticket?.value ?? ""), "base64").toString("latin1")).not.toContain(code);

    await submitAccount(page, "Sign in", username);
    await press(page, "Link this program");
    expect(await program.token()).toBe(token);
    const texts = (await Promise.all(sent)).flat();
    expect(texts.filter((text) => text.includes(code))).toEqual([`${origin}/link?code=${code}`]);
    const { entries } = await (await context.newCDPSession(page)).send("Page.getNavigationHistory");
    expect(entries.filter(({ url }) => url.includes(code))).toEqual([]);
  });

  test("is not cached, nor is any page that it leads to", async () => {
    const { body } = await ask("/link/code");
    for (const path of [`/link?code=${body?.code}`, "/link", "/signin", "/signup?next=/link"])
      expect((await ask(path)).headers["cache-control"], path).toContain("no-store");
  });
});

// Several requests in one browser.

test("each stays in its tab: another site's link changes no page that asks about a program", async () => {
  await newSignedIn(window);
  const [mine, theirs] = [await startProgram(network), await startProgram(network)];
  await enter(page, mine.code);
  await page.locator("summary").filter({ hasText: "Details" }).click();
  await page.getByRole("radio", { name: "Know who you are" }).check();

  const other = await context.newPage();
  await other.goto(theirs.page);
  await button(other, "Link this program").waitFor();
  await page.bringToFront();
  await told(page, "Another program asks in another tab");
  expect(await plate(page).textContent()).toBe(mine.code);
  expect(await page.getByRole("radio", { name: "Know who you are" }).isChecked()).toBe(true);
  await press(page, "Link this program");
  expect(await mine.token()).toMatch(/^lkt_/);
  expect(await theirs.poll()).toEqual({ linked: false, token: "" });
  await told(page, "The program has collected its own token.");

  await page.goto("about:blank");
  await page.goBack();
  await plate(page).waitFor();
  expect(await plate(page).textContent()).toBe(mine.code);
  await press(other, "Enter another code");
  await other.getByLabel("Code").waitFor();
  await page.reload();
  expect(await plate(page).textContent()).toBe(mine.code);
  expectCalm();
  await other.close();
});

test("a browser keeps five; an older one's address asks for the code again, as in any other browser", async () => {
  const user = await newSignedIn(window);
  const ids = Array.from({ length: 5 }, newId);
  for (const [n, id] of ids.entries()) {
    const ticket = { id, since: n, code: await codeFrom(network), isTransliterated: false, request: null };
    const { name } = cookieAt(origin, `link.${id}`, "/link");
    await context.addCookies([{ name, value: sealTicket(ticket), domain: new URL(origin).hostname, path: "/link" }]);
  }
  const { code, page: own } = await startProgram(network);
  await page.goto(own);
  await page.waitForURL(/request=/);
  const address = page.url();
  const kept = await context.cookies(address);
  expect(kept.filter(({ name }) => name.includes(".link.")).length).toBe(5);
  await page.goto(`/link?request=${ids[0]}`);
  await page.getByLabel("Code").waitFor();
  await page.goto(`/link?request=${ids[1]}`);
  await button(page, "Link this program").waitFor();

  await context.clearCookies();
  await openSessionIn(window, user);
  await page.goto(address);
  await page.getByLabel("Code").waitFor();
  expect(await page.getByText(code).count()).toBe(0);
});

test("a tab goes on with its own code, pasted as an address, after signing in", async () => {
  const { username, token } = await newSignedIn(window);
  await context.clearCookies();
  const [mine, theirs] = [await startProgram(network), await startProgram(network)];
  await openReady(page, "/link");
  await page.evaluate((text) => navigator.clipboard.writeText(text), `Open <${mine.page}>.`);
  await page.getByLabel("Code").press("ControlOrMeta+V");
  await expect.poll(() => page.getByLabel("Code").inputValue()).toBe(mine.code);
  await page.keyboard.press("Enter");
  await heading(page, "Sign in to continue");
  const other = await context.newPage();
  await other.goto(theirs.page);
  await pressTo(other, "Continue", "Sign in to continue");
  await submitAccount(page, "Sign in", username);
  await press(page, "Link this program");
  expect(await mine.token()).toBe(token);
  expect(await theirs.poll()).toEqual({ linked: false, token: "" });
});
