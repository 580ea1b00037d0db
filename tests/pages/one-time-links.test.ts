import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClaimLinks } from "@/lib/keys/claims/create";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { createInvitation } from "@/lib/recovery/invitations";
import { createRecoveryLink } from "@/lib/recovery/recovery-links";
import { ask, origin } from "@/tests/support/http";
import { newUsername } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { holds } from "./keys-page";
import { atThisService } from "./one-time-link";
import { launchBrowser, newPerson, type Person } from "./person";
import { atAccountOf, newMember, newVisitor, openReady, PASSWORD } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();

async function newClaim(creator: Person, name: string) {
  const { id } = await createKey(creator, { data: "x", price: "1", name });
  const wanted = { links: 1, most: 1, days: null, openDays: 1, note: "" };
  const { links } = await createClaimLinks(creator, await findKey(creator, id), wanted, { origin });
  return { id, link: String(links[0]) };
}

const invitationFor = async (username: string) =>
  (await atThisService(() => createInvitation({ username, role: "user" }))).link;

describe("another link in the same tab", () => {
  test("begins anew, and gives its own key; so does Back to the first", async () => {
    const creator = await newPerson(browser);
    const [first, second] = [await newClaim(creator, "First"), await newClaim(creator, "Second")];
    const { page, username, expectCalm } = await newPerson(browser);
    await openReady(page, first.link);
    await press(page, "Continue");
    await heading(page, "First");
    await page.goto(second.link);
    await heading(page, "Someone has a key for you");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Someone has a key for you");
    await expectGoodLooks(page);
    await press(page, "Continue");
    await heading(page, "Second");
    await page.goBack();
    await press(page, "Continue");
    await heading(page, "First");
    await page.goForward();
    await press(page, "Continue");
    await heading(page, "Second");
    await press(page, "Accept");
    await page.getByText("You will no longer be able to read its data").waitFor();
    expect([await holds(username, first.id), await holds(username, second.id)]).toEqual([false, true]);
    expectCalm();
  });

  test("makes the account of its own invitation", async () => {
    const { page } = await newVisitor(browser);
    const [anna, ben] = [newUsername(), newUsername()];
    await openReady(page, await invitationFor(anna));
    await press(page, "Continue");
    await page.getByText(`Your username will be ${anna}`).waitFor();
    await page.goto(await invitationFor(ben));
    await press(page, "Continue");
    await page.getByText(`Your username will be ${ben}`).waitFor();
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await press(page, "Create account");
    await atAccountOf(page, ben);
  });

  test("works where a dead one was, and its answer is not that of the one before", async () => {
    const { username } = await newMember(browser);
    const { page } = await newVisitor(browser);
    const { link: dead } = await atThisService(() => createRecoveryLink(username));
    const { link } = await atThisService(() => createRecoveryLink(username));
    await openReady(page, dead);
    await press(page, "Continue");
    await heading(page, "This link doesn't work");
    await page.goto(link);
    let answerLate = () => {};
    const late = new Promise<void>((resolve) => (answerLate = resolve));
    await page.route("**/recover/link", (route) => late.then(() => route.continue()), { times: 1 });
    await press(page, "Continue");
    await page.goto(dead);
    const answered = page.waitForResponse("**/recover/link");
    answerLate();
    await answered;
    await heading(page, "Set a new password");
    expect(await page.getByLabel("New password", { exact: true }).count()).toBe(0);
    await press(page, "Continue");
    await heading(page, "This link doesn't work");
    await page.goto(link);
    await press(page, "Continue");
    await page.getByText(`For the account ${username}`).waitFor();
  });
});

describe("a link that a program mangled", () => {
  const mangled: [string, (page: string, secret: string) => string][] = [
    ["its # encoded", (page, secret) => `${page}%23${secret}`],
    ["its # encoded twice", (page, secret) => `${page}#%23${secret}`],
    ["the whole of its end encoded", (page, secret) => `${page}%23${secret.replace(/./g, encoded)}`],
    ["capitals", (page, secret) => `${page.toUpperCase()}#${secret}`],
    ["a slash too many", (page, secret) => `${page}/#${secret}`],
    ["a full stop", (page, secret) => `${page}#${secret}.`],
    ["a bracket, its # encoded", (page, secret) => `${page}%23${secret}%3E`],
    ["a blank", (page, secret) => `${page}#${secret}%20`],
    ["two lines", (page, secret) => `${page}#${secret.slice(0, 20)}%0D%0A%20${secret.slice(20)}`],
    ["a mark of where it came from", (page, secret) => `${page}#${secret}&utm_source=mail`],
  ];
  const encoded = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

  test.each(mangled)("with %s works", async (_name, mangle) => {
    const { page, expectCalm } = await newVisitor(browser);
    const username = newUsername();
    const [address = "", secret = ""] = new URL(await invitationFor(username)).href.slice(origin.length).split("#");
    const told: string[] = [];
    page.on("request", (request) => {
      if (!request.isNavigationRequest()) told.push(request.url());
      told.push(request.headers().referer ?? "");
    });
    await openReady(page, mangle(address, secret));
    await press(page, "Continue");
    await page.getByText(`Your username will be ${username}`).waitFor();
    expect(told.join(" ")).not.toContain(secret);
    expectCalm();
  });

  test.each(["/claim", "/recover/link", "/email"])("leads to %s, whatever is behind it", async (address) => {
    const response = await ask(`${address}%23SECRET`, { headers: { Accept: "text/html" } });
    expect([response.status, response.headers.location]).toEqual([307, `${address}#SECRET`]);
  });
});
