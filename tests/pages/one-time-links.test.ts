import { describe, expect, test } from "vitest";
import { createInvitation, type Invited } from "@/lib/accounts/ways-in/invitations";
import { createRecoveryLink } from "@/lib/accounts/ways-in/recovery/links";
import { findKey } from "@/lib/keys/access";
import { createClaimLinks } from "@/lib/keys/claims/create";
import { ask, origin } from "@/tests/support/http";
import { makeUser, newUsername } from "@/tests/support/user";
import { atThisService, openLink } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { holds, newKey } from "./keys-page";
import { button, focused, heading, holdBack, press, pressTo, submit } from "./on-page";
import { atAccountOf, newSignedIn, newVisitor, openReady, PASSWORD, submitAccount } from "./visitor";

const window = await newVisitor();
const { page, context, expectCalm } = window;

async function newClaim(creator: { id: string; username: string; role: string }, name: string) {
  const id = await newKey(creator, { name });
  const wanted = { links: 1, most: 1, days: null, openDays: 1, note: "" };
  const { links } = await createClaimLinks(creator, await findKey(creator, id), { ...wanted, origin });
  return { id, link: String(links[0]) };
}

const invite = async (invited: Partial<Invited> = {}) =>
  (await atThisService(() => createInvitation({ username: null, role: "user", ...invited }))).link;

describe("another link in the same tab", () => {
  test("begins anew, and gives its own key; so does Back to the first", async () => {
    const creator = { ...(await makeUser()), role: "user" };
    const [first, second] = [await newClaim(creator, "First"), await newClaim(creator, "Second")];
    const { username } = await newSignedIn(window);
    const goOn = (name: string) => pressTo(page, "Continue", name);
    await openReady(page, first.link);
    await goOn("First");
    await page.goto(second.link);
    await heading(page, "Someone has a key for you");
    await expect.poll(() => focused(page)).toBe("Someone has a key for you");
    await expectGoodLooks(page);
    await goOn("Second");
    await page.goBack();
    await goOn("First");
    await page.goForward();
    await goOn("Second");
    await press(page, "Accept", "You now have");
    expect([await holds(username, first.id), await holds(username, second.id)]).toEqual([false, true]);
    expectCalm();
  });

  test("is there again for who signs in from the head; its secret is sent to nobody", async () => {
    const { id, link } = await newClaim({ ...(await makeUser()), role: "user" }, "Season pass");
    const { username } = await newSignedIn(window);
    await context.clearCookies();
    const sent: string[] = [];
    page.on("request", (request) => sent.push(request.url(), String(request.postData())));
    await page.goto("/");
    await openReady(page, link);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Sign in" }).click();
    await submitAccount(page, "Sign in", username);
    await page.waitForURL("**/claim");
    expect(sent.join(" ")).not.toContain(link.split("#")[1]);
    await heading(page, "Season pass");
    await press(page, "Accept", "You now have");
    expect(await holds(username, id)).toBe(true);
    page.removeAllListeners("request");
  });

  test("works where a dead one was, and its answer is not that of the one before", async () => {
    const { username } = await makeUser();
    await context.clearCookies();
    const { link: dead } = await atThisService(() => createRecoveryLink(username));
    const { link } = await atThisService(() => createRecoveryLink(username));
    await openReady(page, dead);
    await pressTo(page, "Continue", "This link doesn't work");
    await page.goto(link);
    const answerLate = await holdBack(page, "**/recover/link");
    await press(page, "Continue");
    await page.goto(dead);
    const answered = page.waitForResponse("**/recover/link");
    answerLate();
    await answered;
    await heading(page, "Set a new password");
    expect(await page.getByLabel("New password", { exact: true }).count()).toBe(0);
    await pressTo(page, "Continue", "This link doesn't work");
    await openLink(page, link, `For the account ${username}`);
  });
});

describe("a link that a program mangled", () => {
  const mangled: ((page: string, secret: string) => string)[] = [
    // Its # encoded twice, or with the whole of its end.
    (page, secret) => `${page}#%23${secret}`,
    (page, secret) => `${page}%23${secret.replace(/./g, encoded)}`,
    (page, secret) => `${page.toUpperCase()}/#${secret}`,
    // With what stood behind it, or where it came from.
    (page, secret) => `${page}%23${secret}%3E`,
    (page, secret) => `${page}#${secret}&utm_source=mail`,
    // Two lines.
    (page, secret) => `${page}#${secret.slice(0, 20)}%0D%0A%20${secret.slice(20)}`,
  ];
  const encoded = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`;

  test("works all the same, and its secret is told to nobody on the way", async () => {
    await page.unrouteAll();
    const username = newUsername();
    const [address = "", secret = ""] = new URL(await invite({ username })).href.slice(origin.length).split("#");
    const sent: string[] = [];
    page.on("request", (request) => {
      if (!request.isNavigationRequest()) sent.push(request.url());
      sent.push(request.headers().referer ?? "");
    });
    /** Where the service leads to from there. What is behind the # stays in the browser. */
    async function ledTo(asked: string): Promise<string> {
      const [path = "", hash] = asked.split("#");
      if (path === address) return asked;
      const { headers } = await ask(path, { headers: { Accept: "text/html" } });
      const to = String(headers.location);
      return ledTo(hash === undefined || to.includes("#") ? to : `${to}#${hash}`);
    }
    await openReady(page, `${address}%23${secret}`);
    for (const mangle of mangled) {
      await page.goto(`${address}#`);
      await openLink(page, await ledTo(mangle(address, secret)), `Your username will be ${username}`);
    }
    expect(sent.join(" ")).not.toContain(secret);
    expectCalm();
  });

  test.each(["/claim", "/recover/link", "/email"])("leads to %s, whatever is behind it", async (address) => {
    const response = await ask(`${address}%23SECRET`, { headers: { Accept: "text/html" } });
    expect([response.status, response.headers.location]).toEqual([307, `${address}#SECRET`]);
  });
});

describe("an invitation", () => {
  test("opens an account with a name of its user's choice, and works once", async () => {
    await context.clearCookies();
    const link = await invite();
    await openLink(page, link);
    await button(page, "Create account").waitFor();
    await expectGoodLooks(page);
    const username = newUsername();
    await submit(page, { Username: username, Password: PASSWORD }, "Create account");
    await atAccountOf(page, username);
    expectCalm();
    await openLink(page, link, "It may have been used already");
  });
});
