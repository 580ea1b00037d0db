import { readFileSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { ask, origin } from "@/tests/support/http";
import { startService } from "@/tests/support/service";
import { smallDisk, smallDiskKinds } from "@/tests/support/small-disk";
import { makeUser, newUsername } from "@/tests/support/user";
import { expectGoodLooks } from "./good-looks";
import { newKey, openNewKey, SECRET } from "./keys-page";
import { heading, holdBack, press, pressTo } from "./on-page";
import { newSignedIn, newVisitor, openReady, submitAccount, untilReady } from "./visitor";

const person = await newSignedIn();
const { page, token } = person;

test("an action that is asked for twice is done once; a key that is not there is said to be missing", async () => {
  await openReady(page, "/keys");
  await press(page, "Create your first key");
  await page.getByLabel("Secret", { exact: true }).fill("once");
  let sent = 0;
  page.on("request", (request) => request.method() === "POST" && sent++);
  const arrive = await holdBack(page, "**/keys*");
  await page.getByLabel("Price").press("Enter");
  await page.getByLabel("Price").press("Enter");
  await expect.poll(() => page.getByRole("button", { name: "Create key" }).isDisabled()).toBe(true);
  arrive();
  await page.getByRole("button", { name: "Copy id" }).waitFor();
  expect(sent).toBe(1);
  const { list } = await ask("/keys/mine", { query: { auth: token } });
  expect(list).toHaveLength(1);

  await page.unrouteAll();
  await ask(`/keys/delete/${list[0]?.id}`, { query: { auth: token } });
  await press(page, "Reveal", "There is no key with this id.");
  expect(await (await page.request.get("/keys?key=")).text()).toContain("Key not found</h1>");
  await page.goto(`/keys?${new URLSearchParams({ key: "../../etc/passwd" })}`);
  await heading(page, "Key not found");
  await expectGoodLooks(page);
});

test("every action has a command beside it that does the same", async () => {
  const friend = await makeUser();
  /**
   * The commands on this page, and in the dialog that this button opens, as they are copied, with the token put in, as
   * soon as there are this many.
   */
  const commands = async (count: number, opener?: string) => {
    await untilReady(page);
    await press(page, "Show API calls");
    if (opener) await press(page, opener);
    const found = page.locator("main code").filter({ hasText: /^curl / });
    await expect.poll(() => found.count()).toBe(count);
    return (await found.allTextContents()).map((text) => text.replace("Bearer TOKEN", `Bearer ${token}`));
  };
  /** What the service answers to the arguments that a shell makes of the command. */
  const run = async (command: string | undefined) => {
    const [, bearer = "", address = ""] =
      /^curl -H "Authorization: Bearer ([\w-]+)" "([^"$`\\!]*)"$/.exec(command ?? "") ?? [];
    expect(address).toMatch(new RegExp(`^${origin}/keys/`));
    return ask(address.slice(origin.length), { headers: { Authorization: `Bearer ${bearer}` } });
  };
  await openNewKey(person);
  const name = `$(id) "q" 'a' \`b\` & % ! é`;
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("textbox", { name: "Price" }).fill("2.5");
  await page.getByLabel("Add a user").fill(friend.username);
  expect(await page.locator("main pre").count()).toBe(0);
  const [get, replace, add, revoke, rename, reprice, remove] = await commands(7);
  expect((await run(get)).body).toMatchObject({ data: SECRET });
  await run(rename);
  await run(reprice);
  expect((await run(add)).body).toMatchObject({ added: true, user: friend.username });
  expect((await run(get)).body).toMatchObject({ name, price: 2.5 });
  expect((await run(revoke?.replace("USERNAME", friend.username))).body).toMatchObject({ revoked: true });
  expect((await run(replace)).body).toMatchObject({ data: "DATA" });
  expect((await run(remove)).body).toMatchObject({ success: true });

  await page.goto("/keys");
  const [create, list] = await commands(2, "Create your first key");
  expect((await run(create)).body).toMatchObject({ success: true, data: "DATA", price: 0 });
  expect((await run(list)).list).toHaveLength(1);
  await page.goto(`/keys?key=${await newKey(friend, { holders: [person] })}`);
  expect((await run((await commands(2, "Leave"))[1])).body).toMatchObject({ revoked: true, user: person.username });
  expect(await page.content()).not.toContain(token);
});

// On a service of its own: what is taken away here, others need.
test("lists that cannot be loaded never look empty; a full disk loses nothing that was typed", async () => {
  const disk = smallDisk(smallDiskKinds[0] ?? "a database that may not grow");
  const service = await startService({ lane: "direct", database: "sqlite" }, disk.variables);
  onTestFinished(async () => {
    await service.stop();
    disk.remove();
  });
  const { page: own } = await newVisitor(undefined, { baseURL: service.url });
  await own.goto("/signup?next=/keys");
  await submitAccount(own, "Sign up", newUsername());
  await press(own, "Create your first key");
  await own.getByLabel("Name", { exact: true }).fill("Pass");
  const data = own.getByLabel("Secret", { exact: true });
  // More than the pages that are half empty hold.
  const large = "x".repeat(60_000);
  await data.fill(large);
  disk.fill();
  await press(own, "Create key", "The service has no space left for this.");
  expect(await data.inputValue()).toBe(large);
  disk.free();
  await pressTo(own, "Create key", "Pass");

  const file = new Sqlite(join(disk.dataFolder, "latchkey.db"));
  for (const [address, words] of [
    [own.url(), "Created by"],
    ["/keys", "Pass"],
  ] as const) {
    file.exec('ALTER TABLE "Holder" RENAME TO "HolderAway"');
    await own.goto(address);
    await heading(own, "Your keys couldn't be loaded");
    expect(await own.getByText("You haven't created any keys yet").count()).toBe(0);
    const reference = await own.getByRole("main").getByRole("code").textContent();
    await expect
      .poll(() => readFileSync(service.logFile, "utf8"))
      .toMatch(new RegExp(`"id":"${reference}".*"status":500`));
    file.exec('ALTER TABLE "HolderAway" RENAME TO "Holder"');
    await press(own, "Try again", words);
  }
  file.close();
});
