import type { Page } from "playwright";
import { beforeEach, describe, expect, test } from "vitest";
import { createToken } from "@/lib/access-tokens/create";
import { db } from "@/lib/db/client";
import { approveRequest } from "@/lib/link/decide";
import { findRequest } from "@/lib/link/find";
import type { TokenChoice } from "@/lib/link/token-choice";
import { findUser } from "@/lib/user";
import { ask } from "@/tests/support/http";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import { newMember, reloadReady, revealedToken, type Visitor } from "./visitor";

let visitor: Visitor;
let page: Page;
let username: string;
let id: string;
openForEach(newMember, (member) => {
  visitor = member;
  ({ page, username } = member);
});
beforeEach(async () => {
  ({ id } = await findUser(username));
});

/** Links a program that names itself, and collects its token. */
async function link(name: string, choice?: TokenChoice): Promise<string> {
  const { network } = visitor;
  const { body } = await ask("/link/code", { network, query: { name } });
  const code = String(body?.code);
  const person = { id, network: { kind: "remote" as const, id: network } };
  await approveRequest(person, await findRequest(person, code), new Date(), choice);
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
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const names = () => table().locator("strong").allTextContents();

describe("the table of programs and tokens", () => {
  test("says of each what it may do, since when, and until when", async () => {
    await page.getByText("No programs linked.").waitFor();
    const token = await link("Own", OWN);
    await link("Shared");
    await me(token);
    await expect
      .poll(async () => (await db.accessToken.findFirst({ where: { userId: id } }))?.usedAt ?? null)
      .not.toBeNull();
    await reloadReady(page);
    expect(await names()).toEqual(["Shared", "Own"]);
    const cells = (name: string) => row(name).getByRole("cell").allTextContents();
    expect(await cells("Own")).toEqual([
      `Ownfrom ${visitor.network}`,
      "Read keys and files",
      expect.stringMatching(/^\d+ \w+ \d{4}$/),
      expect.stringMatching(/^(a moment|\d+ minutes?) ago\d+ \w+ \d{4}, [\d:]+$/),
      expect.stringMatching(/^\d+ \w+ \d{4}$/),
      "Remove",
    ]);
    expect(await cells("Shared")).toEqual([
      `Sharedfrom ${visitor.network}`,
      "Everythingwith your account's token",
      expect.stringMatching(/^\d+ \w+ \d{4}$/),
      "UnknownYour account's token doesn't record which program uses it",
      "Never",
      "Remove",
    ]);
    await expectGoodLooks(page);
  });

  test("of many, shows twenty, finds one by its name, and shows all", async () => {
    for (let n = 1; n <= 25; n++) await createToken(id, `Tool ${n}`, { access: "identity", days: null });
    await page.reload();
    await expect.poll(async () => (await names()).length).toBe(20);
    await expectGoodLooks(page);
    await page.getByRole("searchbox", { name: "Filter by name" }).fill("tool 7");
    await expect.poll(names).toEqual(["Tool 7"]);
    await page.getByRole("searchbox", { name: "Filter by name" }).fill("nothing");
    await page.getByText("No program or token has this name.").waitFor();
    await page.getByRole("searchbox", { name: "Filter by name" }).fill("");
    await press("Show all 25");
    await expect.poll(async () => (await names()).length).toBe(25);
  });

  test("an expired token says so, and can be taken off the list", async () => {
    await createToken(id, "Old", { access: "read", days: 1 }, id, new Date(Date.now() - 2 * 86_400_000));
    await page.reload();
    await row("Old").getByText("Expired").waitFor();
    await expectGoodLooks(page);
    await press("Remove Old");
    await dialog("Remove Old?").getByText("Its token has expired.").waitFor();
    await dialog("Remove Old?").getByRole("button", { name: "Remove", exact: true }).click();
    await row("Old").waitFor({ state: "detached" });
  });
});

describe("removing", () => {
  test("a token of a program's own stops that program only, and the focus goes on", async () => {
    const [token, other] = [await link("First", OWN), await link("Second", OWN)];
    await page.reload();
    await press("Remove First");
    await dialog("Remove First?").getByText("No other program is affected.").waitFor();
    await expectGoodLooks(page);
    await dialog("Remove First?").getByRole("button", { name: "Remove", exact: true }).click();
    await row("First").waitFor({ state: "detached" });
    expect((await me(token))?.code).toBe("invalid_token");
    expect((await me(other))?.username).toBe(username);
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("New token");
  });

  test("one that was removed elsewhere meanwhile says so, and it is off the list", async () => {
    await link("Gone", OWN);
    await page.reload();
    await press("Remove Gone");
    await db.accessToken.deleteMany({ where: { userId: id } });
    await dialog("Remove Gone?").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("There is no such token. It may have been removed already.").waitFor();
    await dialog("Remove Gone?").getByRole("button", { name: "Cancel" }).click();
    await page.getByText("No programs linked.").waitFor();
  });

  test("a program with the account's token names all that stop and all that go on", async () => {
    const [shared, own] = [await link("Shared"), await link("Own", OWN)];
    await reloadReady(page);
    await press("Remove Shared");
    const asking = dialog("Remove Shared?");
    const lists = async () =>
      Promise.all((await asking.getByRole("list").all()).map((list) => list.locator("strong").allTextContents()));
    await expect.poll(lists).toEqual([["Shared"], ["Own"]]);
    await asking.getByText("These have tokens of their own, and keep working:").waitFor();
    await expectGoodLooks(page);
    await asking.getByRole("button", { name: "Rotate token" }).click();
    await row("Shared").waitFor({ state: "detached" });
    expect(await names()).toEqual(["Own"]);
    expect((await me(shared))?.code).toBe("invalid_token");
    expect((await me(own))?.username).toBe(username);
  });

  test("of many that stop, the latest are named first, and all of them when asked", async () => {
    for (let n = 1; n <= 7; n++) await link(`tool-${n}`);
    await page.reload();
    await press("Remove tool-7");
    const stopping = () => dialog("Remove tool-7?").locator("strong:visible").allTextContents();
    await expect.poll(stopping).toEqual(["tool-7", "tool-6", "tool-5", "tool-4", "tool-3"]);
    await dialog("Remove tool-7?").getByText("2 more").click();
    await expect.poll(stopping).toEqual(["tool-7", "tool-6", "tool-5", "tool-4", "tool-3", "tool-2", "tool-1"]);
  });

  test("the account: all programs and tokens are counted", async () => {
    await link("Shared");
    await link("Own", OWN);
    await createToken(id, "By hand", { access: "read", days: null });
    await page.reload();
    await press("Delete account");
    await dialog("Delete your account?").getByText("3 programs lose access. All tokens stop working.").waitFor();
  });
});

describe("a new token", () => {
  const field = () => dialog("New token").getByLabel("Name", { exact: true });

  async function create(name: string) {
    await field().fill(name);
    await press("Create token");
  }

  test("is shown once, can be copied, works, and is nowhere afterwards", async () => {
    await press("New token");
    await expectGoodLooks(page);
    await page.getByRole("radio", { name: "Know who you are" }).check();
    await page.getByRole("radio", { name: "In 30 days" }).check();
    await create("Nightly backup");
    const shown = dialog("Token of Nightly backup");
    await shown.getByText("It can't be shown again.").waitFor();
    await expectGoodLooks(page);
    const token = (await shown.getByText(/^lkt_[\w-]{43}$/).textContent()) ?? "";
    await shown.getByRole("button", { name: "Copy" }).click();
    await shown.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(token);
    await shown.getByRole("button", { name: "Done" }).click();
    expect(await page.content()).not.toContain(token);
    await row("Nightly backup").getByText("Know who you are (name and role only)").waitFor();
    expect(await me(token)).toEqual({ username, role: "user" });
    expect(page.url()).not.toContain(token);
    await page.reload();
    await row("Nightly backup").waitFor();
    expect(await page.content()).not.toContain(token);
    await press("New token");
    expect(await field().inputValue()).toBe("");
    expect(await revealedToken(page)).not.toBe(token);
    visitor.expectCalm();
  });

  test("needs a name that no other has, and that can be shown", async () => {
    await createToken(id, "Backup", { access: "read", days: null });
    await press("New token");
    for (const [name, error] of [
      ["backup", "There is already a token with this name."],
      ["  ", "The name must be 1 to 40 printable characters"],
      ["x".repeat(41), "The name must be 1 to 40 printable characters"],
      ["a\u202eb", "The name must be 1 to 40 printable characters"],
    ] as const) {
      await create(name);
      await page.getByText(error).waitFor();
      await expect.poll(() => field().evaluate((input) => input === document.activeElement)).toBe(true);
      expect(await field().inputValue()).toBe(name);
      if (name === "backup") await expectGoodLooks(page);
      await field().fill("other");
      await page.getByText(error).waitFor({ state: "detached" });
    }
    await create("Another");
    await dialog("Token of Another").waitFor();
  });
});

describe("other pages", () => {
  test("a key's activity names the program that acted", async () => {
    const { token } = await createToken(id, "MyTool", { access: "everything", days: null });
    const { body } = await ask("/keys/create", { query: { auth: token, data: "x", price: "1" } });
    await page.goto(`/keys?key=${body?.key}`);
    await page.getByText(`${username}, through MyTool, created the key`).waitFor();
    await expectGoodLooks(page);
  });

  test("the start page names the program that was linked last, whichever token it has", async () => {
    const last = page.locator("dl > div").filter({ hasText: "Last linked program" }).locator("dd");
    await page.goto("/");
    await last.getByText("None").waitFor();
    await createToken(id, "By hand", { access: "read", days: null });
    await page.reload();
    await last.getByText("None").waitFor();
    for (const [name, choice] of [
      ["Own", OWN],
      ["Shared", "account"],
      ["Another", OWN],
    ] as const) {
      await link(name, choice);
      await page.reload();
      await last.getByText(name).waitFor();
    }
  });
});
