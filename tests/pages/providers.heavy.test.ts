import type { Browser } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Issuer, startIssuer } from "@/tests/support/issuer";
import { type RunningService, startService } from "@/tests/support/service";
import { newUsername } from "@/tests/support/user";
import { launchBrowser } from "./person";
import { atAccountOf, newVisitor, signUp } from "./visitor";

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

afterAll(async () => {
  await browser?.close();
  await service?.stop();
  issuer?.stop();
});

const newPage = () => newVisitor(browser, undefined, { baseURL: service.url });

describe("a provider", () => {
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
