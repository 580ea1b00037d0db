import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { setRole } from "@/lib/accounts/identity/role";
import { createUser } from "@/lib/accounts/ways-in/create";
import { drawCode } from "@/lib/link/code";
import { collectToken } from "@/lib/link/collect";
import { createCode } from "@/lib/link/create";
import { REFUSED_CODES } from "@/lib/link/limits";
import { countUsers } from "@/lib/operator/users/summaries";
import { auditAll } from "@/lib/platform/audit";
import { db } from "@/lib/platform/db/client";
import { newId } from "@/lib/platform/ids";
import { blockedNetworks } from "@/lib/platform/network/block";
import { later } from "@/lib/platform/time";
import { newNetwork } from "@/tests/support/request";
import { makeUser, newUsername } from "@/tests/support/user";
import { cookieOf, wordsOf } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { localTime, newKey } from "./keys-page";
import { downloaded, enterInto, fillIn, heading, press, submit, told } from "./on-page";
import { newSignedIn, newVisitor, openReady, openSessionIn, PASSWORD } from "./visitor";

const admin = await newSignedIn();
await setRole(admin.username, "admin");
const { page } = admin;

const keyAdded = (at = new Date()) => ({
  at,
  action: "key.add" as const,
  subjectId: "f".repeat(32),
  actorId: admin.id,
  detail: { user: "grace" },
});

test("the trail shows the days that it is filtered by, in UTC, wherever its reader is", async () => {
  const [at, which] = [new Date(), newId()];
  // Where it is another day now: 11 hours behind or 14 ahead.
  const [timezoneId, hours] = at.getUTCHours() < 11 ? ["Pacific/Pago_Pago", -11] : ["Pacific/Kiritimati", 14];
  await auditAll([{ ...keyAdded(at), action: "key.update", subjectId: which }], db);
  const elsewhere = await newVisitor(undefined, { timezoneId });
  await openSessionIn(elsewhere, admin);
  const shown = elsewhere.page.locator("tbody time");
  const [day, dayThere] = [at, later(at, hours * 3_600_000)].map((time) => time.toISOString().slice(0, 10));
  // What a busy machine finds in 50 ms may be nothing yet.
  const found = async (on: string | undefined) => {
    await openReady(elsewhere.page, `/admin/audit?which=${which}&from=${on}&to=${on}`);
    return shown.allTextContents();
  };
  const written = (timeZone: string) =>
    at.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "medium", timeZone });
  await expect.poll(() => found(day)).toEqual([`${written("UTC")} UTC`]);
  expect(await shown.getAttribute("title")).toBe(`${written(timezoneId)} here`);
  await elsewhere.page.getByLabel("From (UTC)").waitFor();
  expect(await found(dayThere)).toEqual([]);
  elsewhere.expectCalm();
  await elsewhere.context.close();
});

test("the trail is filtered, read by pages, opened for its details, says what is new, and is exported", async () => {
  const { username } = admin;
  await auditAll(
    Array.from({ length: 60 }, (_, n) => keyAdded(new Date(Date.now() - n))),
    db,
  );
  // What cannot be read is said at its field.
  await page.goto("/admin/audit?who=nobody-of-this-name&from=7d");
  await page.getByRole("heading", { level: 1, name: "Audit" }).waitFor();
  await told(page, "There is no user with this name.");
  expect(await page.getByLabel("From").inputValue()).toBe("7d");
  await expectGoodLooks(page);
  await fillIn(page, { "From (UTC)": "", Who: username });
  await page.getByLabel("What").selectOption("key.add");
  await page.getByLabel("What").press("Tab");
  await page.getByLabel("Who").press("Enter");
  const rows = page.getByRole("table").locator("tbody tr");
  await page.waitForURL(new RegExp(`who=${username}`));
  await expect.poll(() => rows.count()).toBe(50);
  await page.getByRole("link", { name: "Older" }).click();
  await page.getByRole("link", { name: "Newest" }).waitFor();
  await expect.poll(() => rows.count()).toBe(10);
  await page.locator("tbody summary").first().press("Enter");
  await page
    .getByRole("link", { name: "f".repeat(32) })
    .first()
    .waitFor();
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "Newest" }).click();
  await expect.poll(() => rows.count()).toBe(50);
  await auditAll([keyAdded()], db);
  await page.getByRole("link", { name: "1 new event" }).click();
  await expect.poll(() => page.getByRole("link", { name: "1 new event" }).count()).toBe(0);
  const file = await downloaded(page, () => page.getByRole("link", { name: "JSON lines" }).click());
  expect(readFileSync(await file.path(), "utf8")).toMatch(/\{"complete":true,"events":61\}\n$/);
  admin.expectCalm();
});

test("every setting is shown and can be found", async () => {
  await page.goto("/admin/settings");
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  const row = page.getByRole("row").filter({ hasText: "AUTH_SECRET" });
  await row.getByText("set", { exact: true }).waitFor();
  await page.getByRole("link", { name: "How much a user may store" }).click();
  const section = page.getByRole("heading", { name: "How much a user may store" });
  await expect.poll(async () => (await section.boundingBox())?.y).toBeLessThan(370);
  await page.getByLabel("Find a setting").fill("METRICS");
  await page.getByLabel("Find a setting").press("Enter");
  await page.waitForURL(/q=METRICS/);
  await expect.poll(() => page.getByRole("row").count()).toBe(1);
  await expectGoodLooks(page);
  admin.expectCalm();
});

test("an admin creates a new signing key, and can leave the dialog", async () => {
  await page.goto("/admin/settings");
  const panel = page.locator("#signing-keys");
  const open = panel.getByRole("button", { name: "Create a new signing key" });
  const dialog = page.getByRole("dialog", { name: "Create a new signing key?" });
  const newest = async () => (await db.signingKey.aggregate({ _max: { number: true } }))._max.number ?? 0;
  const before = await newest();
  await open.click();
  await press(dialog, "Cancel");
  await dialog.waitFor({ state: "hidden" });
  expect(await newest()).toBe(before);
  await open.click();
  await press(dialog, "Create key");
  await told(page, "A new key signs from now on.");
  expect(await newest()).toBe(before + 1);
  const where = { action: "signing.rotate", actorId: admin.id };
  expect(await db.auditEvent.count({ where })).toBe(1);
});

test("an admin finds users, invites someone, and disables several at once", async () => {
  const prefix = admin.username.slice(0, 10);
  for (const end of ["_a", "_b"]) await createUser({ username: prefix + end });
  await countUsers();
  await page.goto("/admin/users");
  await told(page, "Keys and files as of");
  await enterInto(page, { "Name begins with": prefix.toUpperCase() });
  await page.getByRole("link", { name: `${prefix}_a` }).waitFor();
  await submit(page, { Username: "no good name" }, "Create invitation", "A username has 3 to 20 characters");
  await enterInto(page, { Username: newUsername() });
  await page.getByRole("button", { name: "Copy link" }).waitFor();

  await page.getByLabel("Select all on this page").press("Space");
  await told(page, "3 selected");
  await expectGoodLooks(page);
  await press(page, "Disable", "2 users disabled.", "You can't disable your own account here.");
  admin.expectCalm();
});

test("an admin looks at a user, sets limits and the role, gives a recovery link, and deletes the account", async () => {
  const user = await createUser({ username: newUsername(), password: PASSWORD });
  await newKey(user);
  await page.goto(`/admin/users?user=${user.username}`);
  await page.getByRole("heading", { name: user.username, level: 2 }).waitFor();
  await page.getByLabel("Keys", { exact: true }).and(page.locator("input")).fill("many");
  await press(page, "Save limits", "Enter a whole number from 0 to 2,000,000,000.");
  await page.getByLabel("Keys", { exact: true }).and(page.locator("input")).fill("1,005");
  await page.keyboard.press("Enter");
  await told(page, "1 of 1,005");
  expect(await db.user.findUnique({ where: { id: user.id } })).toMatchObject({ mostKeys: 1005, mostEntries: null });

  await press(page, "Make administrator");
  await press(page.getByRole("dialog"), "Make administrator");
  await page.getByRole("button", { name: "Remove administrator role" }).waitFor();
  await press(page, "Create recovery link");
  await page.getByRole("button", { name: "Copy link" }).waitFor();
  await told(page, "by an administrator");
  await press(page, "Disable");
  await press(page.getByRole("dialog"), "Disable");
  await press(page, "Enable");
  await page.getByRole("button", { name: "Disable", exact: true }).waitFor();
  await expectGoodLooks(page);

  await press(page, "Delete user");
  await told(page.getByRole("dialog"), "1 key they created is deleted. Nobody else holds it.");
  await enterInto(page.getByRole("dialog"), { Username: "someone" }, "That isn't the username.");
  await enterInto(page.getByRole("dialog"), { Username: user.username });
  await page.waitForURL("**/admin/users");
  const words = await wordsOf(`/admin/users?user=${user.username}`, await cookieOf(admin));
  expect(words).toContain("There is no user with this name");
  expect(await db.user.count({ where: { id: user.id } })).toBe(0);
  admin.expectCalm();
});

/** Nobody looks at the page meanwhile, as far as it knows: so it does not read itself again. */
async function expectGoodLooksWhileStill(): Promise<void> {
  const beTo = (value: "hidden" | "visible") =>
    page.evaluate(
      (state) => Object.defineProperty(document, "visibilityState", { value: state, configurable: true }),
      value,
    );
  await beTo("hidden");
  // One that was on its way.
  await page.waitForLoadState("networkidle");
  await expectGoodLooks(page);
  await beTo("visible");
}

test("an admin finds a key, adds a holder, revokes and deletes it, and never sees its data", async () => {
  const secret = `marked secret ${newId()}`;
  const [holder, friend] = [await makeUser(), await makeUser()];
  const name = `Season pass ${newId().slice(0, 6)}`;
  // Even an admin who holds the key does not see its data here.
  const id = await newKey(await makeUser(), { holders: [holder, admin], data: secret, name });

  await page.goto("/admin/keys");
  await expectGoodLooks(page);
  await page.getByRole("searchbox").fill(name.toLowerCase().slice(0, 15));
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name }).click();
  await page.getByRole("heading", { name, level: 2 }).waitFor();
  expect(await page.content()).not.toContain(secret);
  await expectGoodLooks(page);

  await submit(page, { "Add a user": "nobody-at-all" }, "Add", "There is no user with this name");
  await enterInto(page, { "Add a user": friend.username });
  await told(page, `${friend.username} now holds the key.`);
  await press(page, `Revoke ${holder.username}`, `${holder.username} no longer holds the key.`);
  expect(await db.holder.count({ where: { keyId: id, userId: holder.id } })).toBe(0);

  const until = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 3 * 86_400_000);
  await press(page, `Change end of access of ${friend.username}`);
  const dialog = page.getByRole("dialog");
  await enterInto(dialog, { "Access ends (optional)": localTime(until) });
  await told(page, `The end date of ${friend.username}'s access was changed.`);
  expect(await db.holder.findFirst({ where: { keyId: id, userId: friend.id } })).toMatchObject({ until });

  await press(page, "Delete");
  await enterInto(page, { "Key name": name });
  await heading(page, "This key was deleted");
  expect(await page.content()).not.toContain(secret);
  expect(await db.key.count({ where: { id } })).toBe(0);

  admin.expectCalm();
});

test("an admin ends a code, sees who guesses, blocks a network and unblocks it", async () => {
  await page.goto("/admin/links");
  await heading(page, "Blocked networks");
  const title = await page.title();
  expect(title).toMatch(/^Links/);
  await page.evaluate(() => {
    const titles = new Set<string>();
    const look = () => titles.add(document.title);
    new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
    setInterval(look, 1);
    Object.assign(window, { titles });
  });

  const [asking, guesser] = [newNetwork(), newNetwork()];
  const asked = await createCode({ network: asking, program: "evil<b>/1", webPage: null });
  const strange = { network: newNetwork(), program: "wget/1", webPage: null };
  await collectToken(strange, asked.code, { secret: null });
  for (let guess = 0; guess < 30 + REFUSED_CODES + 2; guess++)
    await collectToken({ network: guesser, program: "python-requests/2", webPage: null }, drawCode(), {
      secret: null,
    }).catch(() => null);

  // It reads itself again, and keeps its title meanwhile.
  const row = page.getByRole("row", { name: asking.id });
  await row.getByRole("cell").getByText("“evil”", { exact: true }).first().waitFor();
  await told(row, "polled from another network");
  const later = newNetwork();
  await createCode({ network: later, program: "curl/8.5.0", webPage: null });
  await page.getByRole("row", { name: later.id }).waitFor();
  expect(await page.evaluate(() => [...Reflect.get(window, "titles")])).toEqual([title]);
  await expectGoodLooksWhileStill();
  expect(await page.content()).not.toContain(asked.code);
  await row.getByRole("button", { name: /^End the code/ }).click();
  await press(page, "End code");
  await told(row, "Denied or ended");
  await page.getByRole("link", { name: /^Denied or ended/ }).click();
  await row.waitFor();
  expect(await db.linkCode.findUnique({ where: { id: asked.id } })).toMatchObject({ status: "denied" });

  await page.getByRole("row", { name: guesser.id }).getByText("other codes").waitFor();
  await page.getByRole("link", { name: `Block ${guesser.id}` }).click();
  await expect.poll(() => page.getByLabel("Network", { exact: true }).inputValue()).toBe(guesser.id);
  await enterInto(page, { "Reason (optional)": "It guesses" });
  await told(page, `${guesser.id} is blocked.`);
  await page.getByRole("button", { name: `Unblock ${guesser.id}` }).waitFor();
  await told(page, "It guesses");

  await press(page, `Unblock ${guesser.id}`);
  await page.getByRole("button", { name: `Unblock ${guesser.id}` }).waitFor({ state: "detached" });
  expect((await blockedNetworks(1_000)).map((one) => one.network)).not.toContain(guesser.id);
  admin.expectCalm();
});
