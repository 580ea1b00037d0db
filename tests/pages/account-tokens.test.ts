import { beforeEach, expect, test } from "vitest";
import { createToken } from "@/lib/accounts/access-tokens/create";
import { approveRequest } from "@/lib/link/approve";
import type { TokenChoice } from "@/lib/link/program";
import { findRequest } from "@/lib/link/view";
import { db } from "@/lib/platform/db/client";
import { ask } from "@/tests/support/http";
import { cookieOf, wordsOf } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { expectFocusOn, focused, press, told } from "./on-page";
import { newSignedIn, newVisitor, openReady } from "./visitor";

const visitor = await newVisitor();
const { page, network } = visitor;
let username: string;
let id: string;
beforeEach(async () => {
  ({ username, id } = await newSignedIn(visitor));
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
const me = async (token: string) => (await ask("/me", { query: { auth: token } })).body;
const table = () => page.getByRole("table", { name: "Programs and tokens" });
const row = (name: string) =>
  table()
    .getByRole("row")
    .filter({ has: page.getByText(name, { exact: true }) });
const dialog = (name: string) => page.getByRole("dialog", { name });
const names = () => table().locator("strong").allTextContents();

test("the table says of each what it may do, since when and until when; of many, it shows twenty", async () => {
  const [twoDaysAgo, yesterday] = [2, 1].map((days) => new Date(Date.now() - days * 86_400_000));
  await createToken(id, { name: "Old", access: "read", days: 1 }, { actorId: id, now: twoDaysAgo });
  for (let n = 1; n <= 20; n++)
    await createToken(id, { name: `Tool ${n}`, access: "identity", days: null }, { actorId: id, now: yesterday });
  const token = await link("Own", OWN);
  await link("Shared");
  await me(token);
  const used = () => db.accessToken.findFirst({ where: { userId: id, name: "Own" } });
  await expect.poll(async () => (await used())?.usedAt ?? null).not.toBeNull();
  await openReady(page, "/account");
  expect((await names()).slice(0, 2)).toEqual(["Shared", "Own"]);
  expect(await names()).toHaveLength(20);
  const cells = (name: string) => row(name).getByRole("cell").allTextContents();
  const day = expect.stringMatching(/^\d+ \w+ \d{4}$/);
  expect(await cells("Own")).toEqual([
    `Ownfrom ${network}`,
    "Read keys and filesproves to Own that it's you",
    day,
    expect.stringMatching(/^(a moment|\d+ minutes?) ago\d+ \w+ \d{4}, [\d:]+$/),
    day,
    "Remove",
  ]);
  expect(await cells("Shared")).toEqual([
    `Sharedfrom ${network}`,
    "Everythingwith your account's tokenproves to any server that it's you",
    day,
    "UnknownYour account's token doesn't record which program uses it",
    "Never",
    "Remove",
  ]);
  const filter = page.getByRole("searchbox", { name: "Filter by name" });
  await filter.fill("tool 7");
  await expect.poll(names).toEqual(["Tool 7"]);
  await filter.fill("nothing");
  await told(page, "No program or token has this name.");
  await filter.fill("");
  await press(page, "Show all 23");
  await expect.poll(async () => (await names()).length).toBe(23);
  expect((await names()).at(-1)).toBe("Old");
  await row("Old").getByText("Expired").waitFor();
  await expectGoodLooks(page);

  await press(page, "Remove Old");
  await told(dialog("Remove Old?"), "Its token has expired.");
  await press(dialog("Remove Old?"), "Remove");
  await row("Old").waitFor({ state: "detached" });
  await expect.poll(() => focused(page)).toBe("New token");
  await press(page, "Remove Own");
  await told(dialog("Remove Own?"), "No other program is affected.");
  await db.accessToken.deleteMany({ where: { userId: id } });
  await press(dialog("Remove Own?"), "Remove");
  await told(page, "There is no such token. It may have been removed already.");
  await press(dialog("Remove Own?"), "Cancel");
  await row("Own").waitFor({ state: "detached" });
});

test("a program with the account's token names all that stop, the latest first, and all that go on", async () => {
  const own = await link("Own", OWN);
  let shared = "";
  for (let n = 1; n <= 7; n++) shared = await link(`tool-${n}`);
  await createToken(id, { name: "By hand", access: "read", days: null });
  await openReady(page, "/account");
  await press(page, "Delete account");
  await told(dialog("Delete your account?"), "9 programs lose access. All tokens stop working.");
  await press(dialog("Delete your account?"), "Cancel");

  await press(page, "Remove tool-7");
  const asking = dialog("Remove tool-7?");
  const named = () => asking.locator("strong:visible").allTextContents();
  const latest = ["tool-7", "tool-6", "tool-5", "tool-4", "tool-3"];
  await told(asking, "These have tokens of their own, and keep working:");
  // A time that loses the focus becomes shorter, and would move what is pressed.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("SUMMARY");
  await expect.poll(named).toEqual([...latest, "By hand", "Own"]);
  await asking.getByText("2 more").click();
  await expect.poll(named).toEqual([...latest, "tool-2", "tool-1", "By hand", "Own"]);
  await expectGoodLooks(page);
  await asking.getByRole("button", { name: "Rotate token" }).click();
  await row("tool-7").waitFor({ state: "detached" });
  expect(await names()).toEqual(["By hand", "Own"]);
  expect((await me(shared))?.code).toBe("invalid_token");
  expect((await me(own))?.username).toBe(username);
});

test("a new token has a name that no other has, is shown once, works, and is nowhere afterwards", async () => {
  const field = () => dialog("New token").getByLabel("Name", { exact: true });
  const create = async (name: string) => {
    await field().fill(name);
    await press(page, "Create token");
  };
  await createToken(id, { name: "Backup", access: "read", days: null });
  await page.goto("/account");
  await press(page, "New token");
  for (const [name, error] of [
    ["backup", "There is already a token with this name."],
    ["a\u202eb", "The name must be 1 to 40 printable characters"],
  ] as const) {
    await create(name);
    await told(page, error);
    await expectFocusOn(field());
    expect(await field().inputValue()).toBe(name);
    await field().fill("other");
    await page.getByText(error).waitFor({ state: "detached" });
  }

  await page.getByRole("radio", { name: "Know who you are" }).check();
  await page.getByRole("radio", { name: "In 30 days" }).check();
  await dialog("New token").getByLabel("Server", { exact: true }).fill("a\u202eb");
  await create("Nightly backup");
  await told(page, "The audience must be 1 to 200 printable characters");
  await dialog("New token").getByLabel("Server", { exact: true }).fill("play.example");
  await create("Nightly backup");
  const shown = dialog("Token of Nightly backup");
  await told(shown, "It can't be shown again.");
  await expectGoodLooks(page);
  const token = (await shown.getByText(/^lkt_[\w-]{49}$/).textContent()) ?? "";
  await shown.getByRole("button", { name: "Copy" }).click();
  await told(shown, "Copied");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
  await shown.getByRole("button", { name: "Done" }).click();
  expect(await page.content()).not.toContain(token);
  await row("Nightly backup").getByText("Know who you are (name and role only)").waitFor();
  await row("Nightly backup").getByText("proves to play.example that it's you").waitFor();
  expect(await me(token)).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), username, role: "user" });
  expect(page.url()).not.toContain(token);
  await page.reload();
  await row("Nightly backup").waitFor();
  expect(await page.content()).not.toContain(token);
  await press(page, "New token");
  expect(await field().inputValue()).toBe("");
  visitor.expectCalm();
});

test("a key's activity names the program that acted, the start page the one that was linked last", async () => {
  const cookie = await cookieOf({ id });
  const { token } = await createToken(id, { name: "MyTool", access: "everything", days: null });
  const { body } = await ask("/keys/create", { query: { auth: token, data: "x", price: "1" } });
  expect(await wordsOf(`/keys?key=${body?.key}`, cookie)).toContain(`${username}, through MyTool, created the key`);
  const expectLast = async (name: string) => expect(await wordsOf("/", cookie)).toContain(`Linked lately ${name}`);
  expect(await wordsOf("/", cookie)).not.toContain("Linked lately");
  await link("Shared", "account");
  await expectLast("Shared");
  await link("Own", OWN);
  await expectLast("Own");
});
