import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hashSecret } from "@/lib/accounts/one-time-link";
import { findKey } from "@/lib/keys/access";
import { offerKey } from "@/lib/keys/offers";
import { db } from "@/lib/platform/db/client";
import { makeUser, newUsername } from "@/tests/support/user";
import { openLink } from "./confirming";
import { expectGoodLooks } from "./good-looks";
import { giveKey, holds, openNewKey } from "./keys-page";
import { button, downloaded, fillIn, heading, press, pressByKey, submit, told } from "./on-page";
import { newSignedIn, newVisitor, openSessionIn, submitAccount } from "./visitor";

const creator = await newSignedIn();
const { page } = creator;
const dialog = page.getByRole("dialog");

test("a link is made, opened, and accepted once, by a newcomer; its creator sees who accepted", async () => {
  const keyId = await openNewKey(creator);
  await press(page, "Create links");
  await submit(page, { "Number of links": "0" }, "Create", "must be a whole number from 1 to 10,000");
  await page.getByLabel("Number of links").fill("1");
  await dialog.getByLabel("Access ends").check();
  await page.getByLabel("Days of access").fill("30");
  await submit(dialog, { "Note (optional)": "order 1234" }, "Create");
  const link = String(await dialog.locator("code").first().textContent());
  await dialog.getByRole("img", { name: "QR code of the link" }).waitFor();
  await expectGoodLooks(page, "dialog[open]");
  await press(page, "Done");
  expect(link).toMatch(/^http:\/\/\S+\/claim#[\w-]{43}$/);
  const [, secret = ""] = link.split("#");
  expect(await page.content()).not.toContain(secret);

  const opened = await newVisitor();
  const { page: claiming, context } = opened;
  const addresses: string[] = [];
  claiming.on("request", (request) => addresses.push(request.url()));
  await claiming.goto(link);
  await heading(claiming, "Someone has a key for you");
  await press(claiming, "Continue", "To accept it, you need an account here.");
  await claiming.getByRole("link", { name: "Sign up", exact: true }).last().click();
  const username = newUsername();
  await submitAccount(claiming, "Sign up", username);
  await claiming.waitForURL("**/claim");
  await heading(claiming, "Season pass");
  await told(claiming, "Access lasts 30 days");
  await expectGoodLooks(claiming);
  expect(await holds(username, keyId)).toBe(false);
  await pressByKey(claiming, "Accept");
  await heading(claiming, "You now have Season pass");
  await told(claiming, "Your access ends");
  await expectGoodLooks(claiming);
  expect(await claiming.content()).not.toContain("licence 7f31");
  await press(claiming, "Reveal", "licence 7f31");
  expect(await holds(username, keyId)).toBe(true);
  expect(addresses.join(" ")).not.toContain(secret);

  await openLink(claiming, link, "You've already used this link.");
  await context.clearCookies();
  const other = await makeUser();
  await openSessionIn(opened, other);
  await claiming.reload();
  await press(claiming, "Continue", "This link doesn't work");
  // With all that the page of a key may show.
  await giveKey(creator, keyId, other);
  await db.holder.updateMany({ where: { keyId, userId: other.id }, data: { until: new Date(Date.now() - 60_000) } });
  await offerKey(creator, await findKey(creator, keyId), other.username);
  await page.reload();
  await told(page, "order 1234", "Ended");
  await button(page, "Withdraw offer").waitFor();
  expect(await page.getByRole("table", { name: "Claim links" }).textContent()).toContain(username);
  await told(page, "accepted the key with a claim link");
  await expectGoodLooks(page);
});

test("many links are downloaded as CSV, and ended, one or all", async () => {
  await openNewKey(creator);
  await press(page, "Create links");
  await submit(page, { "Number of links": "1000" }, "Create", "1,000 links have been created.");
  const csv = await downloaded(page, () => page.getByText("Download as CSV").click());
  const lines = readFileSync(await csv.path(), "utf8").split("\r\n");
  expect(lines).toHaveLength(1_002);
  expect(lines[1]).toMatch(/^1,http:\/\/\S+\/claim#[\w-]{43},,/);
  await press(page, "Done");
  const number = page.getByLabel("Only the link with this number (optional)");
  await press(page, "End 1,000 links");
  await number.fill("2000");
  await press(page, "End links", "These links have the numbers 1 to 1000.");
  await number.fill("7");
  await press(page, "End links", "1 link has been ended.");
  await press(page, "End 1,000 links");
  await press(page, "End links", "999 links have been ended.");
  await page.getByText("Ended", { exact: true }).waitFor();
});

test("pressed again after a response was lost, or said that it failed, there is one batch", async () => {
  const keyId = await openNewKey(creator);
  let next: "passed" | "refused" | "failed" | "lost" = "passed";
  let refusal: string | undefined;
  await page.route("**/*", async (route) => {
    const request = route.request();
    if (next === "passed" || request.method() !== "POST") return route.continue();
    const postData = request.postData()?.replace('"links":"2"', next === "refused" ? '"links":"0"' : '"links":"2"');
    const [now, response] = [next, await route.fetch({ postData })];
    next = "passed";
    if (now === "lost") return route.abort();
    if (now === "refused") refusal = await response.text();
    const unsure = refusal?.replace('"error":', '"isUnsure":true,"error":');
    return route.fulfill({ response, body: now === "failed" ? unsure : refusal });
  });
  await press(page, "Create links");
  await fillIn(dialog, { "Number of links": "2" });
  const sentence = "This field must be";
  next = "refused";
  await press(page, "Create", sentence);
  // As a database says that goes away after it has stored the change.
  next = "failed";
  await press(page, "Create", sentence);
  next = "lost";
  await press(page, "Create", "The service could not be reached.");
  await press(page, "Create", "2 links have been created.");
  const csv = await downloaded(page, () => page.getByText("Download as CSV").click());
  const links = readFileSync(await csv.path(), "utf8").match(/(?<=claim#)[\w-]{43}/g) ?? [];
  const hashes = links.map((secret) => hashSecret(secret));
  expect(await db.claimLink.count({ where: { hash: { in: hashes } } })).toBe(2);
  expect(await db.claimBatch.count({ where: { keyId } })).toBe(1);
  await press(page, "Done");
  await page.unrouteAll();
});
