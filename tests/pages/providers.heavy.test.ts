import type { Browser } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { origin } from "@/tests/support/http";
import { type Issuer, startIssuer } from "@/tests/support/issuer";
import { type RunningService, startService } from "@/tests/support/service";
import { newUsername } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser } from "./person";
import { atAccountOf, newVisitor, PASSWORD, signUp, submitAccount } from "./visitor";

let issuer: Issuer;
let service: RunningService;
let browser: Browser;

beforeAll(async () => {
  issuer = await startIssuer("latchkey");
  const provider = {
    OIDC_ISSUER: issuer.url,
    OIDC_ID: "latchkey",
    OIDC_SECRET: "a secret of the provider's",
    OIDC_NAME: "Example ID",
  };
  const others = {
    GITHUB_ID: "latchkey",
    GITHUB_SECRET: "another secret",
    DISCORD_ID: "latchkey",
    DISCORD_SECRET: "another secret",
  };
  service = await startService({ lane: "direct", database: "sqlite" }, { ...provider, ...others });
  browser = await launchBrowser();
});

beforeEach(() => Object.assign(issuer, { refusal: null, delay: 0 }));

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  issuer?.stop();
});

const newPage = () => newVisitor(browser, undefined, { baseURL: service.url });

const PROVIDER = { name: "Continue with Example ID" };

/** Somebody whom the provider knows, and this service, in a new window. */
async function newKnown() {
  issuer.subject = `known-${newUsername()}`;
  const username = newUsername();
  const visitor = await newPage();
  await visitor.page.goto("/signin");
  await visitor.page.getByRole("button", PROVIDER).click();
  await visitor.page.getByRole("heading", { name: "Choose a username" }).waitFor();
  await visitor.page.getByLabel("Username").fill(username);
  await visitor.page.getByRole("button", { name: "Sign up" }).click();
  await visitor.page.getByText("Your account is ready").waitFor();
  await visitor.context.clearCookies();
  return { ...visitor, username };
}

describe("a provider", () => {
  test("tells a newcomer that the account is ready, and nobody else", async () => {
    const { page, context, username } = await newKnown();
    for (const path of ["/signin", "/signup"]) {
      await page.goto(path);
      await page.getByRole("button", PROVIDER).click();
      await page.getByRole("heading", { name: `Hello, ${username}` }).waitFor();
      await context.clearCookies();
    }
    await context.close();
  });

  test.each([
    ["access_denied", "You weren't signed in: sign-in at the provider was cancelled."],
    ["temporarily_unavailable", "The provider can't be reached right now."],
    ["__proto__", "Sign-in failed. Try again in a moment."],
  ])("that says %s loses nothing of where the person was going", async (refusal, sentence) => {
    const { page, context } = await newKnown();
    issuer.refusal = refusal;
    await page.goto("/keys?list=given&search=a%26b");
    await page.getByRole("button", PROVIDER).click();
    await page.getByText(sentence).waitFor();
    await expectGoodLooks(page);
    issuer.refusal = null;
    await page.getByRole("button", PROVIDER).click();
    await page.waitForURL(`${service.url}/keys?list=given&search=a%26b`);
    await context.close();
  });

  test("that is come back from too late, or without a cookie, loses nothing of it either", async () => {
    const { page, context } = await newKnown();
    await page.route(`${issuer.url}/authorize**`, async (route) => {
      await context.clearCookies({ name: /state$/ });
      await route.continue();
    });
    await page.goto("/account/activity");
    await page.getByRole("button", PROVIDER).click();
    await page.getByText("Sign-in at the provider took too long").waitFor();
    await page.unrouteAll();
    await page.getByRole("button", PROVIDER).click();
    await page.waitForURL(`${service.url}/account/activity`);
    await context.close();
  });

  test("that takes seconds is waited for; without one, the page says so and stays", async () => {
    const { page, context, username } = await newKnown();
    issuer.delay = 4_000;
    await page.goto("/signin");
    await page.getByRole("button", PROVIDER).click();
    await page.getByRole("heading", { name: `Hello, ${username}` }).waitFor({ timeout: 60_000 });
    await context.clearCookies();
    await page.goto("/signin?next=/keys");
    await page.getByRole("button", { name: "Continue with Discord" }).waitFor();
    await page.route("**/api/auth/csrf", (route) => route.fulfill({ json: { csrfToken: "guessed" } }));
    await page.getByRole("button", PROVIDER).click();
    await page.getByText("Your browser doesn't keep this service's cookies").waitFor();
    expect(page.url()).toBe(`${service.url}/signin?next=/keys`);
    await expectGoodLooks(page);
    await context.close();
  });

  test("that somebody signed in does not come back from with a yes changes nothing, and they are told", async () => {
    const { page, context } = await newPage();
    const username = await signUp(page);
    issuer.refusal = "access_denied";
    await page.getByRole("button", { name: "Connect Example ID" }).click();
    await page.getByRole("heading", { name: "Nothing has changed" }).waitFor();
    await expectGoodLooks(page);
    await page.getByRole("link", { name: "Continue" }).click();
    await atAccountOf(page, username);
    await context.close();
  });

  test("and another service on this host: neither signs the other's users out", async () => {
    const { page, context } = await newPage();
    const here = await signUp(page);
    await page.goto(`${origin}/signup?next=/account`);
    const there = newUsername();
    await submitAccount(page, "Sign up", there, PASSWORD);
    await atAccountOf(page, there);
    await page.goto(`${service.url}/account`);
    await atAccountOf(page, here);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByRole("link", { name: "Sign in" }).first().waitFor();
    await page.goto(`${origin}/account`);
    await atAccountOf(page, there);
    await context.close();
  });

  test("asks a newcomer for a username, and signs the same person in the next time", async () => {
    issuer.subject = `new-${newUsername()}`;
    const username = newUsername();
    const first = await newPage();
    await first.page.goto("/signin?next=/account");
    await first.page.getByRole("button", { name: "Continue with Example ID" }).click();
    await first.page.getByRole("heading", { name: "Choose a username" }).waitFor();
    await first.page.getByLabel("Username").fill("no");
    await first.page.getByRole("button", { name: "Sign up" }).click();
    await first.page.getByText("3 to 20 characters").first().waitFor();
    await first.page.getByLabel("Username").fill(username);
    await first.page.getByRole("button", { name: "Sign up" }).click();
    await atAccountOf(first.page, username);
    await first.context.close();

    const second = await newPage();
    await second.page.goto("/signin?next=/account");
    await second.page.getByRole("button", { name: "Continue with Example ID" }).click();
    await atAccountOf(second.page, username);
    await second.context.close();
  });

  test("is connected from the account page only, and to one user only", async () => {
    issuer.subject = `known-${newUsername()}`;
    const owner = await newPage();
    const username = await signUp(owner.page);
    await owner.page.getByRole("button", { name: "Connect Example ID" }).click();
    await owner.page.getByText("Connected. You can now sign in with it.").waitFor();

    const other = await newPage();
    await signUp(other.page);
    await other.page.getByRole("button", { name: "Connect Example ID" }).click();
    await other.page.getByText("That account is already connected to another user.").waitFor();

    await owner.context.clearCookies();
    await owner.page.goto("/signin?next=/account");
    await owner.page.getByRole("button", { name: "Continue with Example ID" }).click();
    await atAccountOf(owner.page, username);
    await Promise.all([owner.context.close(), other.context.close()]);
  });

  test("connects nothing to a user who happens to be signed in when a callback is opened", async () => {
    issuer.subject = `stray-${newUsername()}`;
    const { page, context } = await newPage();
    const username = await signUp(page);
    await page.evaluate(async () => {
      const { csrfToken } = await (await fetch("/api/auth/csrf")).json();
      const body = new URLSearchParams({ csrfToken, callbackUrl: "/account", json: "true" });
      const { url } = await (await fetch("/api/auth/signin/oidc", { method: "POST", body })).json();
      window.location.assign(url);
    });
    await page.waitForURL(`${service.url}/**`);
    await page.waitForLoadState();
    await context.clearCookies();
    await page.goto("/signin?next=/account");
    await page.getByRole("button", { name: "Continue with Example ID" }).click();
    await page.getByRole("heading", { name: "Choose a username" }).waitFor();
    expect(await page.getByText(username).count()).toBe(0);
    await context.close();
  });

  test.each(["oidc", "github", "discord"])(
    "is asked with PKCE, so that a stolen code is worth nothing (%s)",
    async (provider) => {
      const { page, context } = await newPage();
      await page.goto("/signin");
      const asked = await page.evaluate(async (id) => {
        const { csrfToken } = await (await fetch("/api/auth/csrf")).json();
        const body = new URLSearchParams({ csrfToken, callbackUrl: "/account", json: "true" });
        return (await (await fetch(`/api/auth/signin/${id}`, { method: "POST", body })).json()).url as string;
      }, provider);
      const { searchParams } = new URL(asked);
      expect(searchParams.get("code_challenge")).toMatch(/^[\w-]{43}$/);
      expect(searchParams.get("code_challenge_method")).toBe("S256");
      expect(searchParams.get("state")).toBeTruthy();
      await context.close();
    },
  );
});
