import { encode } from "next-auth/jwt";
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright";
import { expect } from "vitest";
import { cookieAt, cookieSecrets, SESSION_COOKIE } from "@/lib/accounts/session/session-cookie";
import { openSession, SESSION_SECONDS } from "@/lib/accounts/session/sessions";
import { hashPassword } from "@/lib/accounts/ways-in/passwords";
import { findBrowser } from "@/scripts/install";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser, newUsername, type TestUser } from "@/tests/support/user";

/** One for all files of a process. What a file opens in it is closed after its last test. */
export const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
});

export const PASSWORD = "correct horse battery";

export interface Visitor {
  context: BrowserContext;
  page: Page;
  network: string;
  /**
   * Fails where the browser complained of anything: a script that threw, or something that the page's policy refused.
   */
  expectCalm: () => void;
}

/** Somebody nobody knows, in a browser window of their own, on a network of their own. */
export async function newVisitor(network = newNetwork().id, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: origin,
    permissions: ["clipboard-read", "clipboard-write"],
    extraHTTPHeaders: { "X-Forwarded-For": network },
    ...options,
  });
  // components/before-load.tsx says it.
  await context.addInitScript(() => addEventListener("latchkey:ready", () => Object.assign(window, { isReady: true })));
  if (process.env.TEST_TRANSLATED) await translate(context);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  return { context, page, network, expectCalm: () => expect(complaints).toEqual([]) };
}

/**
 * Waits until the page's script reacts. Presses of buttons and what is typed into forms wait for it by themselves;
 * links that a script follows, keys, boxes, and what only a script writes do not.
 */
export async function untilReady(page: Page): Promise<void> {
  await page.waitForFunction(() => Reflect.get(window, "isReady") === true);
}

/** Opens a page, and waits until its script reacts. */
export async function openReady(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilReady(page);
}

/** Fills in the form for username and password that the page shows, and presses its button. */
export async function submitAccount(
  page: Page,
  button: "Sign in" | "Sign up",
  username: string,
  password = PASSWORD,
): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: button, exact: true }).click();
}

/** What `/me` answers to whoever has this token. */
export const me = async (token: string) => (await ask("/me", { query: { auth: token } })).body;

/** Waits for the account page of this user, the whole of it. */
export async function atAccountOf(page: Page, username: string): Promise<void> {
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
  await page.getByRole("main").getByText(username, { exact: true }).waitFor();
  await page.waitForLoadState();
}

/** Makes an account and ends on its page. Answers the username. */
export async function signUp(page: Page): Promise<string> {
  const username = newUsername();
  await page.goto("/signup?next=/account");
  await submitAccount(page, "Sign up", username);
  await atAccountOf(page, username);
  return username;
}

export type Member = Visitor & TestUser & { role: "user" };

/** Hashing takes a core for a while: once for all who have this password. */
export const hashed = hashPassword(PASSWORD, ["tests"]);

/** Signs a user in on this network without a form, and returns the cookie for this address of the service. */
export async function openedSession(user: { id: string }, network: string, address = origin) {
  const sessionId = await openSession({ id: user.id }, { userAgent: "", network });
  const [secret = ""] = cookieSecrets();
  const value = await encode({ token: { sessionId: String(sessionId) }, secret, maxAge: SESSION_SECONDS });
  const { name, options } = cookieAt(address, SESSION_COOKIE);
  return { name, value, url: address, httpOnly: options.httpOnly, sameSite: "Lax" as const };
}

/** Signs a user in, at this address of the service, in place of whoever was. */
export async function openSessionIn(visitor: Visitor, user: { id: string }, address = origin): Promise<void> {
  await visitor.context.addCookies([await openedSession(user, visitor.network, address)]);
}

/** An account with a password, in which this visitor is signed in. */
export async function makeSignedIn(visitor: Visitor, address = origin): Promise<TestUser> {
  const user = await makeUser({ passwordHash: await hashed });
  await openSessionIn(visitor, user, address);
  return user;
}

/**
 * Somebody with an account and a password who is signed in, and looks at nothing yet: in a window of their own, or in
 * one that tests share, which has loaded the scripts already.
 */
export async function newSignedIn(shared?: Visitor): Promise<Member> {
  const visitor = shared ?? (await newVisitor());
  await visitor.context.clearCookies();
  return { ...visitor, ...(await makeSignedIn(visitor)), role: "user" };
}

/**
 * Has the pages of this window translated as Chrome does it: each text node is replaced with elements that hold its
 * text, as soon as it is there. The language stays, so that tests find the words.
 */
const translate = (context: BrowserContext) =>
  context.addInitScript(() => {
    const SKIPPED = "script, style, textarea, font, [translate=no]";
    const translateAll = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        if (text.data.trim() === "" || text.parentElement?.closest(SKIPPED)) continue;
        const font = document.createElement("font");
        font.append(document.createElement("font"));
        font.firstElementChild?.append(text.data);
        text.replaceWith(font);
      }
    };
    addEventListener("latchkey:ready", () => {
      translateAll();
      new MutationObserver(translateAll).observe(document.body, {
        childList: true,
        characterData: true,
        subtree: true,
      });
    });
  });
