import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unblockNetwork } from "@/lib/blocked-networks/change";
import { db } from "@/lib/db/client";
import { newId } from "@/lib/ids";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import { askForCode } from "@/lib/link/ask";
import { REFUSED_CODES } from "@/lib/link/guesses";
import { drawLetters } from "@/lib/link/letters";
import { collectToken } from "@/lib/link/poll";
import { findUser } from "@/lib/user";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { launchBrowser } from "./person";
import { type Member, newMember } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

async function newAdmin(): Promise<Member & { id: string; role: string }> {
  const member = await newMember(browser);
  const { id } = await findUser(member.username);
  await db.user.update({ where: { id }, data: { role: "admin" } });
  return { ...member, id, role: "admin" };
}

/** As a field for a time has it: the browser's zone is this process's. */
const local = (at: Date) => new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** Nobody looks at the page meanwhile, as far as it knows: so it does not read itself again. */
async function expectGoodLooksWhileStill(page: Page): Promise<void> {
  await page.evaluate(() =>
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true }),
  );
  // One that was on its way.
  await page.waitForLoadState("networkidle");
  await expectGoodLooks(page);
  await page.evaluate(() =>
    Object.defineProperty(document, "visibilityState", { value: "visible", configurable: true }),
  );
}

test("an admin finds a key, adds a holder, revokes and deletes it, and never sees its data", async () => {
  const { page, expectCalm, username } = await newAdmin();
  const secret = `marked secret ${newId()}`;
  const [creator, holder, friend] = [{ ...(await makeUser()), role: "user" }, await makeUser(), await makeUser()];
  const admin = await findUser(username);
  const name = `Season pass ${newId().slice(0, 6)}`;
  const { id } = await createKey(creator, { data: secret, price: "12.5", name });
  // Even an admin who holds the key does not see its data here.
  for (const one of [holder, admin]) await addHolder(creator, await findKey(creator, id), one.username);

  await page.goto("/admin/keys");
  await page.getByRole("searchbox").fill(name.toLowerCase().slice(0, 15));
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name }).waitFor();
  await expectGoodLooks(page);
  await page.getByRole("link", { name }).click();
  await page.getByRole("heading", { name, level: 2 }).waitFor();
  expect(await page.content()).not.toContain(secret);
  await expectGoodLooks(page);

  await page.getByLabel("Add a user").fill("nobody-at-all");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("There is no user with this name").waitFor();
  await page.getByLabel("Add a user").fill(friend.username);
  await page.keyboard.press("Enter");
  await page.getByText(`${friend.username} now holds the key.`).waitFor();
  await page.getByRole("button", { name: `Revoke ${holder.username}` }).click();
  await page.getByText(`${holder.username} no longer holds the key.`).waitFor();
  expect(await db.holder.count({ where: { keyId: id, userId: holder.id } })).toBe(0);
  // Its undo.
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText(`${holder.username} now holds the key.`).waitFor();
  await page.getByText(`added ${holder.username}`).first().waitFor();

  const until = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 3 * 86_400_000);
  await page.getByRole("button", { name: `Change end for ${friend.username}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Access ends (optional)").fill(local(new Date(Date.now() - 86_400_000)));
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("The end must be in the future.").waitFor();
  await expectGoodLooks(page);
  await dialog.getByLabel("Access ends (optional)").fill(local(until));
  await page.keyboard.press("Enter");
  await page.getByText(`The end of ${friend.username}'s access was changed.`).waitFor();
  expect(await db.holder.findFirst({ where: { keyId: id, userId: friend.id } })).toMatchObject({ until });

  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByLabel("Key name").fill(name);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "This key was deleted" }).waitFor();
  expect(await page.content()).not.toContain(secret);
  await expectGoodLooks(page);
  expect(await db.key.count({ where: { id } })).toBe(0);
  expectCalm();
});

test("addresses that nobody links to, and empty lists, never break the page of keys", async () => {
  const { page, expectCalm } = await newAdmin();
  for (const [query, words] of [
    [`?key=${newId()}`, "There is no key with this id"],
    ["?key=%00x", "There is no key with this id"],
    ["?q=zzzz-nothing", "No key has a name that begins with"],
    ["?by=creator&q=nobody-at-all", "There is no user with the name"],
    ["?by=nonsense&q=a&q=b&after=x&page=-1", "All keys, latest first"],
    [`?after=${"A".repeat(4_000)}`, "All keys, latest first"],
  ] as const) {
    await page.goto(`/admin/keys${query}`);
    await page.getByText(words).first().waitFor();
  }
  expectCalm();
});

test("the page of links keeps its title while it reads itself again", async () => {
  const { page, expectCalm } = await newAdmin();
  await page.goto("/admin/links");
  await page.getByRole("heading", { name: "Blocked networks" }).waitFor();
  const title = await page.title();
  expect(title).toMatch(/^Links/);
  const titles = await page.evaluate(
    () =>
      new Promise<string[]>((resolve) => {
        const seen = new Set<string>();
        const look = () => seen.add(document.title);
        new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
        const timer = setInterval(look, 1);
        setTimeout(() => {
          clearInterval(timer);
          resolve([...seen]);
        }, 12_000);
      }),
  );
  expect(titles).toEqual([title]);
  const asking = newNetwork();
  await askForCode({ network: asking, program: "curl/8.5.0", webPage: null });
  await page.getByRole("row", { name: asking.id }).waitFor();
  expectCalm();
});

test("an admin ends a code, sees who guesses, blocks a network and unblocks it", async () => {
  const { page, network, expectCalm } = await newAdmin();
  await page.goto("/admin/links");
  await page.getByRole("heading", { name: "Blocked networks" }).waitFor();
  await expectGoodLooksWhileStill(page);

  const [asking, guesser] = [newNetwork(), newNetwork()];
  const asked = await askForCode({ network: asking, program: "evil<b>/1", webPage: null });
  const strange = { network: newNetwork(), program: "wget/1", webPage: null };
  await collectToken(asked.code, strange, null);
  for (let guess = 0; guess < 30 + REFUSED_CODES + 2; guess++)
    await collectToken(drawLetters(), { network: guesser, program: "python-requests/2", webPage: null }, null).catch(
      () => null,
    );

  // It reads itself again.
  const row = page.getByRole("row", { name: asking.id });
  await row.getByRole("cell").getByText("“evil”", { exact: true }).first().waitFor();
  await row.getByText("polled from another network").waitFor();
  await expectGoodLooksWhileStill(page);
  expect(await page.content()).not.toContain(asked.code);
  await row.getByRole("button", { name: /^End the code/ }).click();
  await page.getByRole("button", { name: "End code" }).click();
  await row.getByText("Denied or ended").waitFor();
  await page.getByRole("link", { name: /^Denied or ended/ }).click();
  await row.waitFor();
  expect(await db.linkCode.findUnique({ where: { id: asked.id } })).toMatchObject({ status: "denied" });

  await page.getByRole("row", { name: guesser.id }).getByText("other codes").waitFor();
  await page.getByRole("link", { name: `Block ${guesser.id}` }).click();
  await page
    .getByLabel("Network", { exact: true })
    .and(page.locator(`[value="${guesser.id}"]`))
    .waitFor();
  await page.getByLabel("Reason").fill("It guesses");
  await page.keyboard.press("Enter");
  await page.getByText(`${guesser.id} is blocked.`).waitFor();
  await page.getByRole("button", { name: `Unblock ${guesser.id}` }).waitFor();
  await page.getByText("It guesses").waitFor();
  await expectGoodLooksWhileStill(page);

  await page.getByLabel("Network", { exact: true }).fill(network);
  await page.getByRole("button", { name: "Block network" }).click();
  await page.getByText("You are in this network yourself").waitFor();
  await page.getByRole("button", { name: `Unblock ${guesser.id}` }).click();
  await page.getByRole("button", { name: `Unblock ${guesser.id}` }).waitFor({ state: "detached" });
  await expect(unblockNetwork(guesser.id, { actorId: "operator" })).rejects.toMatchObject({ code: "block_not_found" });
  expectCalm();
});
