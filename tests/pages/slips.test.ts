import { expect, onTestFinished, test } from "vitest";
import { blockedNetwork } from "@/tests/support/blocked-network";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { startService } from "@/tests/support/service";
import { letProofsPass } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { heading, press, submit, told, windowOf } from "./on-page";
import { newSignedIn, newVisitor, openReady, submitAccount, untilReady } from "./visitor";

// What people slip on.

const { page, context, username, expectCalm } = await newSignedIn();

/** The id of an action that this build does not have. */
const NO_ACTION = `40${"0".repeat(40)}`;

test("a search for odd letters is a page like any other; signing in leads to the page asked for", async () => {
  await openReady(page, "/keys?search=%00%ED%A0%80%EF%BF%BF");
  await heading(page, "Keys");
  expectCalm();

  await context.clearCookies();
  await page.goto("/admin/audit?who=a%26b&from=7d");
  await submitAccount(page, "Sign in", username);
  await page.waitForURL(`${origin}/admin/audit?who=a%26b&from=7d`);
  await told(page, `Only administrators can open this address, and ${username} isn't one.`);
  await expectGoodLooks(page);
});

test("Sign in and Sign up in the head forget neither where they were going nor a code that was typed", async () => {
  await context.clearCookies();
  const follow = (name: string) =>
    page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();
  await openReady(page, "/signin?next=/keys%3Flist%3Dgiven");
  for (const [name, path] of [
    ["Sign up", "/signup"],
    ["Sign in", "/signin"],
  ] as const) {
    await follow(name);
    await page.waitForURL((url) => url.pathname === path && url.searchParams.get("next") === "/keys?list=given");
    await untilReady(page);
  }

  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await openReady(page, "/link");
  await page.getByLabel("Code").fill("KMTRWB");
  await follow("Sign in");
  await submitAccount(page, "Sign in", username);
  await page.waitForURL(`${origin}/link`);
  await expect.poll(() => page.getByLabel("Code").inputValue()).toBe("KMTRWB");
  expect(addresses.join(" ")).not.toContain("KMTRWB");
});

test("a page of an earlier version, or of who was signed out, says so, and keeps what was typed", async () => {
  await openReady(page, "/keys");
  const data = page.getByLabel("Secret", { exact: true });
  await press(page, "Create your first key");
  await data.fill("precious");
  // The names of actions are others in each version.
  await page.route("**/keys", (route) => {
    const headers = route.request().headers();
    return route.continue({ headers: { ...headers, ...(headers["next-action"] && { "next-action": NO_ACTION }) } });
  });
  await press(page, "Create key");
  const earlier = page.getByRole("alert").filter({ hasText: "This page is of an earlier version" });
  await earlier.waitFor();
  expect(await data.inputValue()).toBe("precious");
  await expectGoodLooks(page);

  await page.unrouteAll();
  await Promise.all([page.waitForEvent("domcontentloaded"), press(page, "Reload")]);
  await press(page, "Create your first key");
  await context.clearCookies();
  await data.fill("x");
  await press(page, "Create key", "You're signed out. Sign in and try again.");
  const tab = await windowOf(page, () => page.getByRole("link", { name: "Open sign-in in a new tab" }).click());
  await submitAccount(tab, "Sign in", username);
  await tab.waitForURL(`${origin}/keys`);
  await press(page, "Create key", "Copy id");

  await letProofsPass(username);
  await openReady(page, "/account");
  await page.route("**/_next/static/chunks/**", (route) => route.fulfill({ status: 404 }));
  await press(page, "Reveal");
  await earlier.waitFor();
  await page.getByRole("button", { name: "Reload" }).waitFor();
});

test("where there is no error to tell, the page of errors leads to signing in", async () => {
  const { headers } = await ask("/api/auth/error");
  expect(new URL(String(headers.location)).href).toBe(`${origin}/signin`);
});

test("opened by http where it believes in https, it says that the browser keeps no cookie", async () => {
  const extraHTTPHeaders = {
    "X-Forwarded-For": newNetwork().id,
    "X-Forwarded-Host": "keys.test",
    "X-Forwarded-Proto": "https",
  };
  // The service answers what is sent to a proxy, too.
  const elsewhere = { baseURL: "http://keys.test", proxy: { server: origin }, extraHTTPHeaders };
  const { page: other } = await newVisitor(undefined, elsewhere);
  await other.goto("/signin?next=/keys");
  await submitAccount(other, "Sign in", username);
  await told(other, "Your browser doesn't keep this service's cookies");
  expect(other.url()).toContain("/signin?next=/keys");
});

test("where sign-up is closed, nothing offers it; elsewhere, it leads to its own address", async () => {
  const service = await startService({ lane: "next", database: "sqlite" }, { ALLOW_SIGNUP: "false" });
  onTestFinished(() => service.stop());
  const read = async (path: string) => (await fetch(service.url + path, { headers: { Accept: "text/html" } })).text();
  const html = await read("/");
  expect([html.includes('href="/signin'), html.includes('href="/signup')]).toEqual([true, false]);
  expect(await read("/signup")).toContain("Ask the operator of this service for an account");

  const { page: other } = await newVisitor(undefined, {
    baseURL: `http://other.localhost:${new URL(service.url).port}`,
  });
  await other.goto("/link?next=/keys#secret");
  const link = other.getByRole("link", { name: `Open this service at ${service.url}` });
  expect(await link.getAttribute("href")).toBe(`${service.url}/link`);
  await expectGoodLooks(other);
  const { code } = await (await fetch(`${service.url}/link/code`)).json();
  await submit(other, { Code: code }, "Continue", `Open ${service.url} and try again.`);
  await link.click();
  await other.waitForURL(`${service.url}/link`);
  await submit(other, { Code: code }, "Continue");
  await heading(other, "Sign in to continue");
  expect(await other.locator("a[href^='/signup']").count()).toBe(0);
  expect(await other.getByText("Some things don't work").count()).toBe(0);
});

test("a press that the service refuses before its action shows that refusal's sentence", async () => {
  const visitor = await newSignedIn();
  await openReady(visitor.page, "/account");
  const pressing = async (headers: Record<string, string>, sentence: string) => {
    await visitor.context.setExtraHTTPHeaders({ "X-Forwarded-For": visitor.network, ...headers });
    await press(visitor.page, "Reveal", sentence);
  };
  await pressing({ "X-Forwarded-For": await blockedNetwork() }, "does not accept requests from your network");
  await pressing({ "X-Large": "a".repeat(17_000) }, "The request's headers are too large.");
  await pressing({ "X-Forwarded-Host": "evil.example" }, "This service is not available under this host name.");
});
