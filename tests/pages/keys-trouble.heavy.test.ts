import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { createKey } from "@/lib/keys/create";
import { findKey } from "@/lib/keys/find";
import { addHolder } from "@/lib/keys/holders";
import type { KeyRecord } from "@/lib/keys/schema";
import { ask, origin } from "@/tests/support/http";
import { makeUser } from "@/tests/support/user";
import { openForEach } from "./open-for-each";
import { newPerson, type Person } from "./person";
import { submitAccount, untilReady } from "./visitor";

const UNREACHABLE = "The service could not be reached. Check your connection, then try again.";

let person: Person;
let page: Page;
let key: KeyRecord;
openForEach(newPerson, async (opened) => {
  person = opened;
  page = opened.page;
  key = await createKey(person, { data: "secret", price: "1", name: "Pass" });
});

const mine = async () => (await ask("/keys/mine", { query: { auth: person.token } })).list;

/** The commands on this page as they are copied, with the token put in, as soon as there are this many. */
async function commands(count: number): Promise<string[]> {
  await untilReady(page);
  await page.getByRole("switch", { name: "API" }).check();
  const found = page.locator("main code").filter({ hasText: /^curl / });
  await expect.poll(() => found.count()).toBe(count);
  return (await found.allTextContents()).map((text) => text.replace("Bearer TOKEN", `Bearer ${person.token}`));
}

/** What a shell makes of the command's arguments, and what the service answers to them. */
async function run(command: string | undefined) {
  const [, token = "", address = ""] =
    /^curl -H "Authorization: Bearer ([\w-]+)" "([^"$`\\!]*)"$/.exec(command ?? "") ?? [];
  expect(address).toMatch(new RegExp(`^${origin}/keys/`));
  return ask(address.slice(origin.length), { headers: { Authorization: `Bearer ${token}` } });
}

describe("an action", () => {
  test("that is asked for twice at once is done once", async () => {
    await page.goto("/keys");
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Data", { exact: true }).fill("once");
    let sent = 0;
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/keys*", async (route) => {
      if (route.request().method() === "POST") sent++;
      await isReleased;
      await route.continue();
    });
    await page.getByLabel("Price").press("Enter");
    await page.getByLabel("Price").press("Enter");
    await expect.poll(() => page.getByRole("button", { name: "Create key" }).isDisabled()).toBe(true);
    release();
    await page.getByRole("button", { name: "Copy id" }).waitFor();
    expect(sent).toBe(1);
    expect(await mine()).toHaveLength(2);
  });

  test("that reaches nobody says so, and can be repeated", async () => {
    await page.goto(`/keys?key=${key.id}`);
    await page.getByRole("button", { name: "Reveal" }).waitFor();
    await person.context.setOffline(true);
    await page.getByRole("button", { name: "Reveal" }).click();
    await page.getByText(UNREACHABLE).waitFor();
    await person.context.setOffline(false);
    await page.getByRole("button", { name: "Reveal" }).click();
    await page.getByText("secret", { exact: true }).waitFor();
    expect(await page.getByText(UNREACHABLE).count()).toBe(0);
  });

  test("of a user signed out meanwhile says so, and changes nothing", async () => {
    await page.goto(`/keys?key=${key.id}`);
    await db.session.deleteMany({ where: { userId: person.id } });
    await page.getByLabel("Name", { exact: true }).fill("Other");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("You're signed out. Sign in and try again.").waitFor();
    expect((await mine())[0]).toMatchObject({ name: "Pass" });
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Other");
  });

  test("on a key that was deleted meanwhile says so", async () => {
    await page.goto(`/keys?key=${key.id}`);
    await ask(`/keys/delete/${key.id}`, { query: { auth: person.token } });
    await page.getByRole("button", { name: "Reveal" }).click();
    await page.getByText("There is no key with this id.").waitFor();
  });

  test("has a command beside it that does the same", async () => {
    const friend = await makeUser();
    await page.goto(`/keys?key=${key.id}`);
    await page.getByLabel("Name", { exact: true }).fill(`$(id) "q" 'a' \`b\` & % ! é`);
    await page.getByRole("textbox", { name: "Price" }).fill("2.5");
    await page.getByLabel("Add a user").fill(friend.username);
    expect(await page.locator("main pre").count()).toBe(0);
    const [get, replace, add, revoke, rename, reprice, remove] = await commands(7);
    expect((await run(get)).body).toMatchObject({ data: "secret" });
    await run(rename);
    await run(reprice);
    expect((await run(add)).body).toMatchObject({ added: true, user: friend.username });
    expect((await run(get)).body).toMatchObject({ name: `$(id) "q" 'a' \`b\` & % ! é`, price: 2.5 });
    expect((await run(revoke?.replace("USERNAME", friend.username))).body).toMatchObject({ revoked: true });
    expect((await run(replace)).body).toMatchObject({ data: "DATA" });
    expect((await run(remove)).body).toMatchObject({ success: true });

    await page.goto("/keys");
    const [create, list] = await commands(2);
    expect((await run(create)).body).toMatchObject({ success: true, data: "DATA", price: 0 });
    expect((await run(list)).list).toHaveLength(1);
    const leaving = await createKey({ ...friend, role: "user" }, { data: "theirs", price: "0" });
    await addHolder(
      { ...friend, role: "user" },
      await findKey({ ...friend, role: "user" }, leaving.id),
      person.username,
    );
    await page.goto(`/keys?key=${leaving.id}`);
    expect((await run((await commands(2))[1])).body).toMatchObject({ revoked: true, user: person.username });
    expect(await page.content()).not.toContain(person.token);
  });
});

describe("a page", () => {
  test("of a key is found again after signing in", async () => {
    await person.context.clearCookies();
    await page.goto(`/keys?key=${key.id}`);
    await submitAccount(page, "Sign in", person.username);
    await page.getByRole("heading", { name: "Pass", exact: true }).waitFor();
  });

  test.each(["x", "0".repeat(32), "../../etc/passwd", ""])(
    "of the key %j, which does not exist, says so",
    async (id) => {
      await page.goto(`/keys?${new URLSearchParams({ key: id })}`);
      await page.getByRole("heading", { name: "Key not found" }).waitFor();
    },
  );
});
