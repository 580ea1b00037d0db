import { beforeEach, describe, expect, test } from "vitest";
import { createToken } from "@/lib/accounts/identity/access-tokens/create";
import { revealToken } from "@/lib/accounts/identity/token";
import { approveRequest } from "@/lib/link/approve";
import { findRequest } from "@/lib/link/enter";
import type { TokenChoice } from "@/lib/link/program";
import { db } from "@/lib/platform/db/client";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser, postPassword, signInByPassword } from "@/tests/support/user";
import { cookieOf, signedInAs, wordsOf } from "./confirming";
import { pickFiles, textFile } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { newKey } from "./keys-page";
import { startProgram } from "./link-program";
import { button, expectFocusOn, focused, heading, press, pressTo, submit, told } from "./on-page";
import {
  atAccountOf,
  hashed,
  me,
  newSignedIn,
  newVisitor,
  openReady,
  openSessionIn,
  PASSWORD,
  submitAccount,
} from "./visitor";

const NEW = "another good password";
const shared = await newVisitor();
const { page, context, network } = shared;
const dialog = (name: string) => page.getByRole("dialog", { name });

test("shows the latest five events, and leads to all of 90 days, fifty a page", async () => {
  const { id } = await newSignedIn(shared);
  const events = () => page.getByRole("main").getByRole("listitem").count();
  const panel = page.getByRole("region", { name: "Activity" });
  const row = { at: new Date(), action: "token.rotate", subjectId: id, actorId: id, detail: "{}" };
  await db.auditEvent.createMany({ data: Array.from({ length: 60 }, () => row) });
  await page.goto("/account");
  await expect.poll(() => panel.getByRole("listitem").count()).toBe(5);
  await panel.getByRole("link", { name: "All activity of the last 90 days" }).click();
  await heading(page, "Activity");
  await expect.poll(events).toBe(50);
  await page.getByRole("link", { name: "Older" }).click();
  await page.getByRole("link", { name: "Newest" }).waitFor();
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "Newest" }).click();
  await page.getByRole("link", { name: "Older" }).waitFor();
  shared.expectCalm();
});

describe("programs and tokens", () => {
  let username: string;
  let id: string;
  beforeEach(async () => {
    ({ username, id } = await newSignedIn(shared));
  });

  /** Links a program that names itself, and collects its token. */
  async function link(name: string, choice?: TokenChoice): Promise<string> {
    const { body } = await ask("/link/code", { network, query: { name } });
    const code = String(body?.code);
    const person = { id, network: { kind: "remote" as const, id: network } };
    await approveRequest(person, await findRequest(person, code), { choice, now: new Date() });
    return String((await ask("/link/user", { query: { code }, network })).body?.token);
  }

  const OWN: TokenChoice = { access: "read", days: 30 };
  const table = page.getByRole("table", { name: "Programs and tokens" });
  const row = (name: string) => table.getByRole("row").filter({ has: page.getByText(name, { exact: true }) });
  const names = () => table.locator("strong").allTextContents();

  test("are listed with what each may do; of many, twenty are shown, and all on demand", async () => {
    const [twoDaysAgo, yesterday] = [2, 1].map((days) => new Date(Date.now() - days * 86_400_000));
    await createToken(id, { name: "Old", access: "read", days: 1 }, { actorId: id, now: twoDaysAgo });
    for (let n = 1; n <= 20; n++)
      await createToken(id, { name: `Tool ${n}`, access: "identity", days: null }, { actorId: id, now: yesterday });
    await me(await link("Own", OWN));
    await link("Shared");
    const used = () => db.accessToken.findFirst({ where: { userId: id, name: "Own" } });
    await expect.poll(async () => (await used())?.usedAt ?? null).not.toBeNull();
    await openReady(page, "/account");
    expect((await names()).slice(0, 2)).toEqual(["Shared", "Own"]);
    expect(await names()).toHaveLength(20);
    await told(row("Own"), `from ${network}`, "Read keys and files", "proves to Own that it's you", /ago$/);
    await told(row("Shared"), "with your account's token", "proves to any server that it's you", "Never");
    const filter = page.getByRole("searchbox", { name: "Filter by name" });
    await filter.fill("tool 7");
    await expect.poll(names).toEqual(["Tool 7"]);
    await filter.fill("");
    await press(page, "Show all 23");
    await expect.poll(async () => (await names()).length).toBe(23);
    await row("Old").getByText("Expired").waitFor();
    await expectGoodLooks(page);

    await press(page, "Remove Old");
    await press(dialog("Remove Old?"), "Remove");
    await row("Old").waitFor({ state: "detached" });
    await expect.poll(() => focused(page)).toBe("New token");
    await press(page, "Remove Own");
    await db.accessToken.deleteMany({ where: { userId: id } });
    await press(dialog("Remove Own?"), "Remove");
    await told(page, "There is no such token. It may have been removed already.");
    await press(dialog("Remove Own?"), "Cancel");
    await row("Own").waitFor({ state: "detached" });
  });

  test("stop together if they have the account's token: all that stop are named, and all that go on", async () => {
    const own = await link("Own", OWN);
    let shared = "";
    for (let n = 1; n <= 7; n++) shared = await link(`tool-${n}`);
    await openReady(page, "/account");
    await press(page, "Remove tool-7");
    const asking = dialog("Remove tool-7?");
    const named = () => asking.locator("strong:visible").allTextContents();
    const latest = ["tool-7", "tool-6", "tool-5", "tool-4", "tool-3"];
    await told(asking, "These have tokens of their own, and keep working:");
    // A time that loses the focus becomes shorter, and would move what is pressed.
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("SUMMARY");
    await expect.poll(named).toEqual([...latest, "Own"]);
    await asking.getByText("2 more").click();
    await expect.poll(named).toEqual([...latest, "tool-2", "tool-1", "Own"]);
    await expectGoodLooks(page);
    await press(asking, "Rotate token");
    await row("tool-7").waitFor({ state: "detached" });
    expect(await names()).toEqual(["Own"]);
    expect((await me(shared))?.code).toBe("invalid_token");
    expect((await me(own))?.username).toBe(username);
  });

  test("get a new token by a name that no other has: shown once, it works, and is nowhere afterwards", async () => {
    const asking = dialog("New token");
    const field = asking.getByLabel("Name", { exact: true });
    await createToken(id, { name: "Backup", access: "read", days: null });
    await openReady(page, "/account");
    await press(page, "New token");
    await submit(asking, { Name: "backup" }, "Create token", "There is already a token with this name.");
    await expectFocusOn(field);
    await page.getByRole("radio", { name: "Know who you are" }).check();
    await page.getByRole("radio", { name: "In 30 days" }).check();
    await submit(asking, { Server: "play.example", Name: "Nightly backup" }, "Create token");
    const shown = dialog("Token of Nightly backup");
    await told(shown, "It can't be shown again.");
    await expectGoodLooks(page);
    const token = (await shown.getByText(/^lkt_[\w-]{49}$/).textContent()) ?? "";
    await press(shown, "Copy", "Copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    await press(shown, "Done");
    await told(row("Nightly backup"), "Know who you are (name and role only)", "proves to play.example that it's you");
    expect((await me(token))?.username).toBe(username);
    expect(page.url() + (await page.content())).not.toContain(token);
    await page.reload();
    await row("Nightly backup").waitFor();
    expect(await page.content()).not.toContain(token);
    await press(page, "New token");
    expect(await field.inputValue()).toBe("");
    shared.expectCalm();
  });
});

test("one other browser is signed out, all by a changed password; a deleted account tells its holders", async () => {
  const { username, id, token } = await newSignedIn(shared);
  const holder = await signedInAs("user");
  await newKey({ id, username }, { holders: [holder], name: "Shared" });
  const away = newNetwork().id;
  const [one, another] = [await cookieOf({ id }, away), await cookieOf({ id }, newNetwork().id)];
  const destination = async (Cookie: string) => (await ask("/account", { headers: { Cookie } })).headers.location;
  await openReady(page, "/account");
  await told(page, "No programs linked.");
  const signedIn = page.getByRole("region", { name: "Where you're signed in" });
  const other = signedIn.getByRole("listitem").filter({ hasText: away });
  await other.getByRole("button", { name: /^Sign out / }).click();
  await told(page.getByRole("status"), "has been signed out.");
  await other.waitFor({ state: "detached" });
  expect(await destination(one)).toContain("/signin?next=/account");
  expect(await destination(another)).toBeUndefined();

  await press(page, "Reveal", token);
  await page.getByLabel("Also rotate my token").check();
  await page.getByLabel("Current password").fill(PASSWORD);
  await submit(page, { "New password": NEW }, "Change password", "Your token has been rotated");
  await page.getByText(token).waitFor({ state: "detached" });
  expect((await me(token))?.code).toBe("invalid_token");
  expect((await me(await revealToken(id)))?.username).toBe(username);
  expect(await destination(another)).toContain("/signin?next=/account");
  expect((await postPassword(origin, username, NEW)).error).toBeNull();

  await press(page, "Delete account", "1 other holder loses access and will be told.");
  await submit(page.getByRole("dialog"), { "Your username": username, "Your password": NEW }, "Delete my account");
  await told(page, "Your account and everything in it have been deleted");
  expect(await wordsOf("/keys?list=given", holder.cookie)).toContain("and with it a key you held.");
});

test("a browser that signed in before is let in while strangers have locked the account, and no other", async () => {
  const { username } = await makeUser({ passwordHash: await hashed });
  const before = await signInByPassword(origin, username, PASSWORD);
  const [name = "", value = ""] = /\S+\.known=[^;]+/.exec(before)?.[0].split("=") ?? [];
  const guesses = Array.from({ length: 10 }, (_, n) => postPassword(origin, username, `wrong ${n}`, network));
  for (const { error } of await Promise.all(guesses)) expect(error).toBe("invalid");
  await context.clearCookies();
  await page.goto("/signin?next=/account");
  await submitAccount(page, "Sign in", username);
  await told(page, "Too many failed sign-ins.");
  await context.addCookies([{ name, value, url: origin }]);
  await submitAccount(page, "Sign in", username);
  await atAccountOf(page, username);
});

test("a page that was opened as somebody else does nothing for who is signed in now", async () => {
  const [anna, ben] = [await newSignedIn(shared), await makeUser()];
  const sentence = `You are now signed in as ${ben.username}.`;
  for (const one of [anna, ben]) await newKey(one);
  const program = await startProgram(network);
  const [files, link] = [await context.newPage(), await context.newPage()];
  await openReady(page, "/account");
  await openReady(files, "/files");
  // Until this is answered, that page does not refresh itself, and so does not find out by itself.
  await link.route("**/health", () => {});
  await link.goto(program.page);
  await button(link, "Link this program").waitFor();
  // As if the second person had signed in in another tab of the first one's browser.
  await openSessionIn(shared, ben);
  // Of a link, it is said in place of what was shown.
  await press(link, "Link this program", sentence);
  await link.unroute("**/health");
  await heading(link, sentence.slice(0, -1));
  expect((await program.poll())?.linked).toBe(false);
  await pressTo(link, `Continue as ${ben.username}`, `Link curl to ${ben.username}?`);
  await press(link, "Link this program");
  expect(await program.token()).toBe(ben.token);

  await press(page, "Rotate");
  await press(page, "Rotate token", sentence);
  await press(page, "Cancel");
  await page.getByLabel("Offer your key to").fill((await makeUser()).username);
  await press(page, "Offer", sentence);
  await pickFiles(files, textFile("hers.txt"));
  await told(files, sentence);
  expect(await revealToken(ben.id)).toBe(ben.token);
  expect(await db.keyOffer.count({ where: { key: { creatorId: { in: [anna.id, ben.id] } } } })).toBe(0);
  expect(await db.fileDocument.count({ where: { userId: ben.id } })).toBe(0);
});
