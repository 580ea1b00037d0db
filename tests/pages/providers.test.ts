import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { PROOF_MS } from "@/lib/platform/bounds";
import { type Issuer, startIssuer } from "@/tests/support/issuer";
import { type RunningService, startService } from "@/tests/support/service";
import { newUsername } from "@/tests/support/user";
import { identityDialog } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { button, heading, press, submit, told } from "./on-page";
import { atAccountOf, newVisitor, openReady, signUp, type Visitor } from "./visitor";

const NAME = "The single sign-on of a very long-winded institute for applied naming, department of names";

let issuer: Issuer;
let service: RunningService;
let visitor: Visitor;
let page: Visitor["page"];

beforeAll(async () => {
  issuer = await startIssuer("latchkey");
  const provider = {
    OIDC_ISSUER: issuer.url,
    OIDC_ID: "latchkey",
    OIDC_SECRET: "a secret of the provider's",
    OIDC_NAME: NAME,
  };
  const another = { DISCORD_ID: "latchkey", DISCORD_SECRET: "another secret" };
  service = await startService({ lane: "direct", database: "sqlite" }, { ...provider, ...another });
});
afterAll(async () => {
  await service?.stop();
  issuer?.stop();
});

beforeEach(async () => {
  visitor = await newVisitor(undefined, { baseURL: service.url });
  page = visitor.page;
  Object.assign(issuer, { refusal: null, delay: 0, subject: newUsername(), alg: "RS256", supported: ["RS256"] });
});

const proceed = () => press(page, `Continue with ${NAME}`);
const connect = () => press(page, `Connect ${NAME}`);

function inDatabase(statement: string): void {
  const database = new Database(join(String(service.storage.DATA_DIR), "latchkey.db"));
  database.exec(statement);
  database.close();
}

/** As if every sign-in of this service had been ten minutes ago. */
const letTimePass = () => inDatabase(`UPDATE "Session" SET "createdAt" = ${Date.now() - PROOF_MS}`);

test("a newcomer chooses a username, and proves with the provider who they are, having nothing else", async () => {
  const username = newUsername();
  await page.goto("/signin");
  await proceed();
  await heading(page, "Choose a username");
  await submit(page, { Username: username }, "Sign up", "Your account is ready");

  letTimePass();
  await openReady(page, "/account");
  const dialog = identityDialog(page);
  await press(page, "Reveal");
  await told(dialog, "You'll then come back to this page and can try again.");
  await expectGoodLooks(page, "dialog[open]");
  await press(dialog, `Sign in with ${NAME} again`);
  await dialog.waitFor({ state: "detached" });
  await atAccountOf(page, username);
  await press(page, "Reveal", /^lk_[\w-]{49}$/);
  expect(await dialog.count()).toBe(0);
  visitor.expectCalm();

  // A provider that takes seconds is waited for.
  await visitor.context.clearCookies();
  issuer.delay = 4_000;
  await page.goto("/signup");
  await proceed();
  await page.getByRole("heading", { name: `Hello, ${username}` }).waitFor({ timeout: 120_000 });
});

test("a provider signs as its metadata says, and in no other way", async () => {
  for (const [alg, supported] of [
    ["ES256", ["RS256"]],
    ["EdDSA", ["RS256", "EdDSA"]],
    ["PS256", ["PS256", "ES384"]],
    ["ES512", ["ES512"]],
  ] as const) {
    Object.assign(issuer, { alg, supported });
    await visitor.context.clearCookies();
    await page.goto("/signin");
    await proceed();
    if (alg === "ES256") await told(page, "The provider didn't complete the sign-in.");
    else await heading(page, "Choose a username");
  }
});

test("whatever goes wrong on the way, nothing is lost of where it led; a long name has room", async () => {
  await page.goto("/keys?list=given&search=a%26b");
  for (const [refusal, sentence] of [
    ["access_denied", "You weren't signed in: sign-in at the provider was cancelled."],
    ["__proto__", "Sign-in failed. Try again in a moment."],
  ] as const) {
    issuer.refusal = refusal;
    await proceed();
    await told(page, sentence);
  }
  await expectGoodLooks(page);

  // Too late, or without a cookie.
  issuer.refusal = null;
  await page.route(`${issuer.url}/authorize**`, async (route) => {
    await visitor.context.clearCookies({ name: /state$/ });
    await route.continue();
  });
  await proceed();
  await told(page, "Sign-in at the provider took too long");
  await page.unrouteAll();
  await proceed();
  await heading(page, "Choose a username");
  await submit(page, { Username: newUsername() }, "Sign up");
  await page.waitForURL(`${service.url}/keys?list=given&search=a%26b`);

  // A browser without cookies stays.
  await visitor.context.clearCookies();
  await page.goto("/signin?next=/keys");
  await button(page, "Continue with Discord").waitFor();
  await page.route("**/api/auth/csrf", (route) => route.fulfill({ json: { csrfToken: "guessed" } }));
  await proceed();
  await told(page, "Your browser doesn't keep this service's cookies");
  expect(page.url()).toBe(`${service.url}/signin?next=/keys`);
});

test("is connected from the account page only, with the provider's yes, and to one user only", async () => {
  const username = await signUp(page);
  // A callback that is opened beside it ends the session, and connects nothing.
  const cookies = await visitor.context.cookies();
  const { csrfToken } = await (await page.request.get("/api/auth/csrf")).json();
  const form = { csrfToken, callbackUrl: "/account", json: "true" };
  const headers = { Origin: service.url };
  const { url } = await (await page.request.post("/api/auth/signin/oidc", { form, headers })).json();
  const end = new URL((await page.request.get(url)).url());
  expect([end.origin, end.pathname]).toEqual([service.url, "/signin"]);
  await visitor.context.clearCookies();
  await visitor.context.addCookies(cookies);
  await openReady(page, "/account");

  issuer.refusal = "access_denied";
  await connect();
  await heading(page, "Nothing has changed");
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "Continue" }).click();
  await atAccountOf(page, username);
  issuer.refusal = null;
  await connect();
  await told(page, "Connected. You can now sign in with it.");

  await visitor.context.clearCookies();
  await signUp(page);
  await connect();
  await told(page, "That account is already connected to another user.");
  await visitor.context.clearCookies();
  await page.goto("/signin?next=/account");
  await proceed();
  await atAccountOf(page, username);
});

test("what the database refuses on the way is told as that, and nothing of it is in an address", async () => {
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await page.goto("/signin");
  inDatabase('ALTER TABLE "Identity" RENAME TO "IdentityAway"');
  try {
    await proceed();
    await told(page, "The service is unavailable right now. Try again in a moment.");
  } finally {
    inDatabase('ALTER TABLE "IdentityAway" RENAME TO "Identity"');
  }
  expect(addresses.join(" ")).not.toMatch(/Identity|prisma|table/i);

  await signUp(page);
  await openReady(page, "/account");
  inDatabase(`CREATE TRIGGER refuse BEFORE INSERT ON "Identity" BEGIN SELECT RAISE(ABORT, 'no'); END`);
  try {
    await connect();
    await told(page, "The account couldn't be connected. Nothing was changed.");
    await button(page, `Connect ${NAME}`).waitFor();
  } finally {
    inDatabase("DROP TRIGGER refuse");
  }
  await connect();
  await told(page, "Connected. You can now sign in with it.");

  // Anybody can write another result into a link.
  await openReady(page, "/account?connected=__proto__");
  await button(page, `Disconnect ${NAME}`).waitFor();
});
