import { expect, test } from "vitest";
import { tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import { db } from "@/lib/platform/db/client";
import { newUsername } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { heading, press, told, windowOf } from "./on-page";
import { asksForLetters, GAME, GAME_SITE, newSurfer, openSite, signInButton } from "./opener";
import { newSignedIn, submitAccount } from "./visitor";

const surfer = await newSurfer();

test("a page signs a person in by one press in a window, which closes", async () => {
  const person = await newSignedIn(surfer);
  const page = await openSite(person, GAME);
  const opened = await windowOf(page, () => press(page, "Sign in"));
  await heading(opened, `${GAME_SITE} wants to know who you are`);
  await told(opened, "Your browser has confirmed the site's address.", "It learns who you are.");
  await told(opened, `It can prove to ${GAME_SITE} that it's you.`);
  await expectGoodLooks(opened);
  expect(new URL(opened.url()).search).toMatch(/^\?request=[0-9a-f]{32}$/);
  await Promise.all([opened.waitForEvent("close"), signInButton(opened, GAME_SITE).click()]);
  await told(page, `Hello, ${person.username}`);
  expect(page.url()).toBe(`${GAME}/`);
  const sent = await page.evaluate(() =>
    JSON.stringify([Reflect.get(window, "received"), Reflect.get(window, "shown")]),
  );
  expect(sent).toBe('[[{"latchkey":"ready"},{"latchkey":"shown"}],[]]');
  // By its host, wherever it is listed.
  expect(await tokensOf(person.id)).toMatchObject([{ name: GAME_SITE, access: "identity" }]);
  // In validators by its origin: no other program could have opened this window.
  expect((await db.accessToken.findFirstOrThrow({ where: { userId: person.id } })).party).toBe(GAME);
  for (const path of ["/account", "/account/activity", "/"]) {
    await person.page.goto(path);
    await told(person.page, GAME_SITE);
  }
  person.expectCalm();
});

test("who has no account makes one in the window, and goes on from there", async () => {
  await surfer.context.clearCookies();
  const page = await openSite(surfer, GAME);
  const opened = await windowOf(page, () => press(page, "Sign in"));
  await heading(opened, `Sign in to continue to ${GAME_SITE}`);
  await opened.getByRole("main").getByRole("link", { name: "Sign up" }).click();
  await heading(opened, `Sign up to continue to ${GAME_SITE}`);
  const username = newUsername();
  await submitAccount(opened, "Sign up", username);
  await Promise.all([opened.waitForEvent("close"), signInButton(opened, GAME_SITE).click()]);
  await told(page, `Hello, ${username}`);
});

test("a page that asks for more says so, and the person can give less", async () => {
  const person = await newSignedIn(surfer);
  const page = await openSite(person, GAME);
  const begin = (wanted: string) => void (Reflect.get(window, "begin") as (access: string) => void)(wanted);
  const opened = await windowOf(page, () => page.evaluate(begin, "everything"));
  await heading(opened, `${GAME_SITE} wants full access to your account`);
  await told(opened, "Allow it only if you trust this site with your keys and files.");
  await expectGoodLooks(opened);
  await opened.getByText("Details").click();
  await opened.getByLabel("Know who you are (name and role only)").check();
  await Promise.all([opened.waitForEvent("close"), press(opened, `Give access to ${GAME_SITE}`)]);
  await told(page, `Hello, ${person.username}`);
  expect(await tokensOf(person.id)).toMatchObject([{ name: GAME_SITE, access: "identity" }]);
});

test("who cancels closes the window, and the page learns it; another press begins anew", async () => {
  const person = await newSignedIn(surfer);
  const page = await openSite(person, GAME);
  const first = await windowOf(page, () => press(page, "Sign in"));
  await Promise.all([first.waitForEvent("close"), press(first, "Cancel")]);
  await told(page, "link_denied");
  const second = await windowOf(page, () => press(page, "Sign in"));
  await signInButton(second, GAME_SITE).click();
  await told(page, `Hello, ${person.username}`);
});

test("a page that cuts itself off from its window, or has none, shows letters instead", async () => {
  const person = await newSignedIn(surfer);
  const page = await openSite(person, GAME, "/severing");
  const opened = await windowOf(page, () => press(page, "Sign in"));
  await asksForLetters(opened);
  await told(opened, "The page that opened this window shows six letters: enter them here.");
  await expectGoodLooks(opened);
  const shown = () => page.evaluate(() => Reflect.get(window, "shown") as string[]);
  await expect.poll(shown).toHaveLength(1);
  await opened.getByLabel("Code").fill(String((await shown())[0]));
  await press(opened, "Continue");
  await press(opened, "Link this program");
  await told(page, `Hello, ${person.username}`);

  await page.goto(GAME);
  await page.waitForFunction(() => document.title === "Ready");
  await page.evaluate(() => Object.assign(window, { open: () => null }));
  await press(page, "Sign in");
  await expect.poll(shown).toHaveLength(1);
  const blocked = page.evaluate(() =>
    (Reflect.get(window, "latchkey") as { signIn: () => Promise<string> }).signIn().catch(({ code }) => code),
  );
  expect(await blocked).toBe("window_blocked");
});
