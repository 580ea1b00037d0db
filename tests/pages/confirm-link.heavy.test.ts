import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { db } from "@/lib/db/client";
import { findUser } from "@/lib/user";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { confirmOn, identityDialog, letProofsPass } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { press, startProgram } from "./link-program";
import { openForEach } from "./open-for-each";
import { newMember, type Visitor } from "./visitor";

let visitor: Visitor;
let page: Page;
let username: string;
openForEach(newMember, (member) => {
  visitor = member;
  ({ page, username } = member);
});

const dialog = () => identityDialog(page);
const button = (name: string) => page.getByRole("button", { name, exact: true });

describe("the link page", () => {
  async function startAsking(network: string) {
    const program = await startProgram(network);
    await page.goto(program.page);
    await button("Link this program").waitFor();
    return program;
  }

  test("asks where the code came from another network, and keeps the decision", async () => {
    const program = await startAsking(newNetwork().id);
    await letProofsPass(username);
    await page.locator("summary").filter({ hasText: "Limit access" }).click();
    await page.getByRole("radio", { name: "Know who you are" }).check();
    await press(page, "Link this program");
    await dialog().getByText("such as a code").waitFor();
    await expectGoodLooks(page);
    await dialog().getByRole("button", { name: "Cancel" }).click();
    expect((await program.poll())?.linked).toBe(false);
    expect(await page.getByRole("radio", { name: "Know who you are" }).isChecked()).toBe(true);
    await press(page, "Link this program");
    await confirmOn(page);
    await page.getByRole("heading", { name: /^(Go back to your program|Your program is linked)$/ }).waitFor();
    expect(await program.token()).toMatch(/^lkt_/);
    visitor.expectCalm();
  });

  test("asks nobody on the program's own network, and nobody who denies", async () => {
    const own = await startAsking(visitor.network);
    await letProofsPass(username);
    await press(page, "Link this program");
    expect(await own.token()).toMatch(/^lk_/);
    expect(await dialog().count()).toBe(0);
    await startAsking(newNetwork().id);
    await press(page, "Deny");
    await page.getByRole("heading", { name: /denied/i }).waitFor();
    expect(await dialog().count()).toBe(0);
  });

  test("asks where the session was opened on another network: its cookie may be a stolen one", async () => {
    const { id: userId } = await findUser(username);
    const program = await startAsking(visitor.network);
    await db.session.updateMany({ where: { userId }, data: { network: newNetwork().id } });
    await letProofsPass(username);
    await press(page, "Link this program");
    await dialog().waitFor();
    expect((await program.poll())?.linked).toBe(false);
    await confirmOn(page);
    expect(await program.token()).toMatch(/^lk_/);
  });

  test("asks before a program on another network is allowed, and not before it is turned away", async () => {
    const program = await startAsking(visitor.network);
    await press(page, "Link this program");
    const [stranger, moved] = [newNetwork().id, newNetwork().id];
    const poll = async (network: string) =>
      (await ask("/link/user", { query: { code: program.code }, network })).body?.linked;
    await poll(stranger);
    await button("Don't allow").waitFor();
    await letProofsPass(username);
    await button("Don't allow").click();
    await button("Don't allow").waitFor({ state: "detached" });
    await poll(moved);
    await button("Allow").click();
    await dialog().waitFor();
    expect(await poll(moved)).toBe(false);
    await confirmOn(page);
    await page.getByText("You have allowed it.").waitFor();
    expect(await poll(moved)).toBe(true);
  });
});
