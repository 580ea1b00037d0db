import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRecoveryLink } from "@/lib/accounts/ways-in/recovery/links";
import { findKey } from "@/lib/keys/access";
import { offerKey } from "@/lib/keys/offers";
import { db } from "@/lib/platform/db/client";
import { ask } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/request";
import { makeUser } from "@/tests/support/user";
import { atThisService } from "./confirming";
import { row, store } from "./files-page";
import { giveKey, newKey } from "./keys-page";
import { enterNew, link } from "./link-program";
import { button, fillIn, press } from "./on-page";
import { newSignedIn, openReady, PASSWORD } from "./visitor";

// What gives something away, or destroys it: nothing happens while the page, its window or the pointer is not at rest,
// whoever presses, and by what. tests/project/conventions.test.ts has every such button.

const visitor = await newSignedIn();
let page: Page;
const keyId = await newKey(visitor);

/** How often the page has called an action. */
let calls = 0;
beforeEach(async () => {
  page = await visitor.context.newPage();
  page.on("request", (request) => {
    if (request.headers()["next-action"]) calls++;
  });
  await page.addInitScript(bringToFront);
});
afterEach(() => page.close());

/** Another window was in front, and has gone just before each press, while the page is told so. */
function bringToFront(): void {
  for (const type of ["pointerdown", "keydown", "click"])
    addEventListener(
      type,
      ({ isTrusted }) => {
        if (document.documentElement.dataset.comes !== "suddenly" || (type === "click" && isTrusted)) return;
        dispatchEvent(new Event("blur"));
        dispatchEvent(new Event("focus"));
      },
      true,
    );
}

/** Opens this page, and what is pressed there, and fills in the form of this button. */
const at =
  (path: string, fields: Record<string, string> = {}, opener?: string) =>
  async (name: string) => {
    await openReady(page, path);
    if (opener) await press(page, opener);
    await fillIn(page.locator("form").filter({ has: button(page, name) }), fields);
  };

/** How to come to a page, and its button: one of each way in which pages place such a button, or show it late. */
const GIVING: [name: string, come: (name: string) => Promise<unknown>][] = [
  ["Link this program", () => enterNew(page, visitor.network)],
  ["Allow", comeToAllow],
  ["Reveal", at("/account")],
  ["Copy", at("/account")],
  ["Rotate token", at("/account", {}, "Rotate")],
  ["Create codes", at("/account", { "Your password": PASSWORD }, "Create recovery codes")],
  ["Add", at(`/keys?key=${keyId}`, { "Add a user": "nobody-at-all" })],
  ["Accept Season pass", comeToOffer],
  ["Delete", comeToFile],
  // It signs the visitor out.
  ["Set password", comeToRecovery],
];

async function comeToFile(): Promise<void> {
  await store(visitor, "note.txt");
  await openReady(page, "/files");
  await row(page, "note.txt").click({ button: "right" });
}

async function comeToAllow(): Promise<void> {
  const code = await enterNew(page, visitor.network);
  await link(page);
  await ask("/link/user", { query: { code }, network: newNetwork().id });
  await button(page, "Allow").waitFor();
}

async function comeToOffer(): Promise<void> {
  const creator = { ...(await makeUser()), role: "user" };
  await offerKey(creator, await findKey(creator, await newKey(creator)), visitor.username);
  await openReady(page, "/keys");
}

async function comeToRecovery(): Promise<void> {
  const { link: address } = await atThisService(() => createRecoveryLink(visitor.username));
  await openReady(page, address);
  await press(page, "Continue");
  await fillIn(page, { "New password": "another horse battery" });
}

test.each(GIVING)("“%s” ignores presses until its window is at rest, and then takes one", async (name, come) => {
  await come(name);
  const item = page.getByRole("menuitem", { name, exact: true });
  const pressed = (await item.count()) ? item : button(page, name).first();
  // It comes to be usable by itself, for a person as for a program that presses for one.
  await pressed.click({ trial: true });
  const before = calls;
  await page.evaluate(() => {
    document.documentElement.dataset.comes = "suddenly";
  });
  await pressed.evaluate((one: HTMLButtonElement) => one.click());
  await page.mouse.down();
  await page.mouse.up();
  for (const key of ["Enter", "Space"]) await pressed.press(key);
  expect(await pressed.getAttribute("aria-disabled")).toBe("true");
  expect(calls).toBe(before);
  await page.evaluate(() => {
    document.documentElement.dataset.comes = "";
  });
  await pressed.click();
  await expect.poll(() => calls).toBeGreaterThan(before);
});

test("a double click presses nothing that comes under the pointer meanwhile", async () => {
  const person = await newSignedIn();
  const { page } = person;
  const id = await newKey(person);
  for (const n of [1, 2, 3]) await giveKey(person, id, await makeUser({ username: `holder_in_row_${n}` }));
  await openReady(page, `/keys?key=${id}`);
  const revoke = page.getByRole("button", { name: /^Revoke holder_in_row/ });
  await revoke.first().click({ trial: true });
  await page.mouse.down();
  await page.mouse.up();
  await expect.poll(() => revoke.count()).toBe(2);
  await page.mouse.down();
  await page.mouse.up();
  expect(await revoke.first().getAttribute("aria-disabled")).toBe("true");
  await revoke.first().click({ trial: true });
  expect(await db.holder.count({ where: { keyId: id, user: { username: { startsWith: "holder_in_row" } } } })).toBe(2);
  await revoke.first().click();
  await expect.poll(() => revoke.count()).toBe(1);
});

test("a button that an error above it moves waits anew, and shows that with the error", async () => {
  const name = "Link this program";
  const { page, network } = await newSignedIn();
  await enterNew(page, network);
  await page.route("**/link*", (route) => (route.request().method() === "POST" ? route.abort() : route.continue()));
  await button(page, name).evaluate((one) => {
    const watch = () => {
      if (!document.querySelector("form [role=alert]")?.textContent?.includes("could not be reached")) return;
      one.dataset.meanwhile ??= String(one.getAttribute("aria-disabled"));
    };
    new MutationObserver(watch).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  await press(page, name, "The service could not be reached.");
  expect(await button(page, name).getAttribute("data-meanwhile")).toBe("true");
  await page.unrouteAll();
  await press(page, name);
  await page.getByRole("heading", { name: "Go back to your program" }).waitFor();
});

test("a key that is held opens a question, and does not answer it", async () => {
  const { id, page } = await newSignedIn();
  await openReady(page, "/account");
  await button(page, "Rotate").focus();
  const { tokenHash } = await db.user.findUniqueOrThrow({ where: { id } });
  for (let times = 0; times < 20; times++) {
    await page.keyboard.down("Enter");
    await sleep(50);
  }
  await page.keyboard.up("Enter");
  await button(page, "Rotate token").click({ trial: true });
  expect((await db.user.findUniqueOrThrow({ where: { id } })).tokenHash).toBe(tokenHash);
});
