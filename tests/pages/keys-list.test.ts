import { expect, test } from "vitest";
import { makeKeys } from "@/tests/keys/keys";
import { ask } from "@/tests/support/http";
import { makeUser, newUsername } from "@/tests/support/user";
import { expectGoodLooks, LONG_NAME } from "./good-looks";
import { holds, newKey, tickOf } from "./keys-page";
import { downloaded, expectFocusOn, heading, press, submit, told } from "./on-page";
import { newSignedIn, newVisitor, openReady } from "./visitor";

const window = await newVisitor();
const { page } = window;

test("the list that is empty says what to do next; many keys come in pages, and are searched", async () => {
  const person = await newSignedIn(window);
  await openReady(page, "/keys");
  await heading(page, "You haven't created any keys yet");
  await expectGoodLooks(page);
  await press(page, "Create your first key");
  await page.getByRole("dialog", { name: "New key" }).waitFor();
  await page.keyboard.press("Escape");

  await makeKeys(person, person, { count: 1_999 });
  const needle = await newKey(person, { name: "A needle" });
  await openReady(page, "/keys?page=79");
  await told(page, "1,951–1,975 of 2,000");
  await page.getByRole("link", { name: "Next" }).click();
  await told(page, "1,976–2,000 of 2,000");
  expect(await page.getByRole("link", { name: "Next" }).count()).toBe(0);

  const field = page.getByRole("searchbox");
  await field.pressSequentially("NEEDLE");
  await page.getByText("1 match", { exact: true }).waitFor();
  // "NE" has one match already.
  await expect.poll(() => new URL(page.url()).searchParams.get("search")).toBe("NEEDLE");
  await expectFocusOn(field);
  await page.getByRole("link", { name: "A needle" }).click();
  await page.waitForURL((url) => url.searchParams.get("key") === needle);
  await page.goBack();
  await expect.poll(() => field.inputValue()).toBe("NEEDLE");
  await field.fill("hay%");
  await told(page, "No matches for “hay%”");
  await page.getByRole("link", { name: "Clear search" }).click();
  await told(page, "1–25 of 2,000");
  expect(await page.getByRole("row").count()).toBe(26);
  person.expectCalm();
});

test("the list is sorted by its heads, as its address says", async () => {
  const person = await newSignedIn(window);
  for (const name of ["Bread", "apple", "Cider"]) await newKey(person, { name });
  const names = () => page.getByRole("rowheader").getByRole("link").allInnerTexts();
  const head = (name: string) => page.getByRole("columnheader", { name });
  const sorted = (order: string) => page.locator(`th[aria-sort=${order}]`).filter({ hasText: "Key" }).waitFor();
  await openReady(page, "/keys");
  expect(await head("Created").getAttribute("aria-sort")).toBe("descending");
  await head("Key").getByRole("link").click();
  await sorted("ascending");
  await expectFocusOn(head("Key").getByRole("link"));
  expect(await names()).toEqual(["apple", "Bread", "Cider"]);
  await page.keyboard.press("Enter");
  await sorted("descending");
  expect(new URL(page.url()).searchParams.get("sort")).toBe("-name");
  person.expectCalm();
});

test("keys of others are shown first where all are, downloaded by their own page only, and left at once", async () => {
  const [person, other] = [await newSignedIn(window), await makeUser()];
  const keys: string[] = [];
  for (const name of ["=Arcade", "Newsletter", "Workshop"]) keys.push(await newKey(other, { holders: [person], name }));
  await openReady(page, "/keys");
  await page.getByRole("row").getByRole("link", { name: "=Arcade" }).waitFor();
  const file = await downloaded(page, () => page.getByRole("link", { name: "Download as CSV" }).click());
  expect(file.suggestedFilename()).toBe("keys-from-others.csv");
  const answer = await page.request.get("/keys.csv?list=given&search=arcade");
  expect(answer.headers()).toMatchObject({ "content-type": "text/csv; charset=utf-8", "cache-control": "no-store" });
  expect(await answer.text()).toContain(`${keys[0]},'=Arcade,1.5,${other.username},,`);
  expect(await answer.text()).not.toContain("licence 7f31");
  const elsewhere = { headers: { "Sec-Fetch-Site": "cross-site" } };
  for (const path of ["/keys.csv", "/account/archive"]) {
    const refused = await page.request.get(path, elsewhere);
    expect([refused.status(), await refused.text()]).toEqual([403, expect.stringContaining("own pages")]);
  }
  expect((await ask("/keys.csv")).status).toBe(302);

  await newKey(person, { name: "My own" });
  const leave = async (count: string) => {
    await press(page, `Leave ${count}`);
    const dialog = page.getByRole("dialog", { name: "Leave" });
    const listed = await dialog.getByRole("listitem").allInnerTexts();
    await dialog.getByRole("button", { name: "Leave" }).click();
    await told(page, `You left ${count}.`);
    return listed;
  };
  await openReady(page, "/keys?list=given");
  expect(await page.getByText("My own").count()).toBe(0);
  await tickOf(page, "=Arcade").check();
  await tickOf(page, "Workshop").check();
  expect(await leave("2 keys")).toEqual([`Workshop from ${other.username}`, `=Arcade from ${other.username}`]);
  expect(await Promise.all(keys.map((id) => holds(person.username, id)))).toEqual([false, true, false]);
  await tickOf(page, "=Arcade").waitFor({ state: "detached" });
  await page.getByLabel("Select all on this page").check();
  await leave("1 key");
  await heading(page, "No keys from others yet");
  person.expectCalm();
});

test("a user is added to several keys and revoked from them, and what became of each is said", async () => {
  const [person, friend] = [await newSignedIn(window), await makeUser()];
  const arcade = await newKey(person, { name: "Arcade" });
  const other = await newKey(person, { name: LONG_NAME, price: "99999999999999.5" });
  const workshop = await newKey(person, { holders: [friend], name: "Workshop" });
  const held = () => Promise.all([arcade, other, workshop].map((id) => holds(friend.username, id)));
  await openReady(page, "/keys");
  await tickOf(page, "Arcade").check();
  await tickOf(page, "Workshop").check();
  await told(page, "2 selected");
  await press(page, "Add a user");
  const adding = page.getByRole("dialog", { name: "Add a user to 2 keys" });
  await submit(adding, { Username: newUsername() }, "Add to 2 keys", "There is no user with this name.");
  await submit(adding, { Username: friend.username.toUpperCase() }, "Add to 2 keys");
  await told(adding, `${friend.username} was added to 1 of 2 keys.`);
  expect(await adding.getByRole("listitem").allInnerTexts()).toEqual([
    `Workshop ${workshop.slice(0, 8)}\nAlready held it`,
    `Arcade ${arcade.slice(0, 8)}\nAdded`,
  ]);
  await expectGoodLooks(page, "dialog[open]");
  await page.keyboard.press("Enter");
  await adding.waitFor({ state: "hidden" });
  await page.getByText("2 selected").waitFor({ state: "detached" });
  expect(await held()).toEqual([true, false, true]);

  await page.getByLabel("Select all on this page").check();
  await press(page, "Revoke a user");
  const revoking = page.getByRole("dialog", { name: "Revoke a user from 3 keys" });
  await submit(revoking, { Username: friend.username }, "Revoke from 3 keys");
  await told(revoking, `${friend.username} lost access to 2 of 3 keys.`);
  await press(page, "Done");
  await revoking.waitFor({ state: "hidden" });
  expect(await held()).toEqual([false, false, false]);
  await page.getByRole("row").filter({ hasText: "Arcade" }).getByRole("cell", { name: "1", exact: true }).waitFor();
  person.expectCalm();
});
