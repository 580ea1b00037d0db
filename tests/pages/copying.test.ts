import { expect, test } from "vitest";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import { newMember, openReady, PASSWORD, type Visitor } from "./visitor";

let visitor: Visitor;
let page: Visitor["page"];
openForEach(newMember, (member) => {
  visitor = member;
  page = member.page;
});

const press = (name: string) => page.getByRole("button", { name, exact: true }).first().click();
const dialog = () => page.getByRole("dialog");
const fieldToCopy = () => page.getByRole("textbox", { name: "Text to copy" });

/** What can be pasted now, read by another page: this one may have no clipboard to read. */
async function pasted(): Promise<string> {
  const reader = await visitor.context.newPage();
  await reader.goto("/signin");
  const text = await reader.evaluate(() => navigator.clipboard.readText());
  await reader.close();
  return text;
}

/** As over plain HTTP, where browsers offer a page only the old way to copy. */
const overPlainHttp = () =>
  page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));

async function createCodes(): Promise<string[]> {
  await openReady(page, "/account");
  await press("Create recovery codes");
  await dialog().getByLabel("Your password").fill(PASSWORD);
  await dialog().getByRole("button", { name: "Create codes" }).click();
  await page.getByText("They can't be shown again.").waitFor();
  return dialog().getByRole("listitem").allTextContents();
}

test("over plain HTTP, a dialog's text is copied, and nothing of it stays in the page", async () => {
  await overPlainHttp();
  await openReady(page, "/account");
  await press("Copy");
  await page.getByText("Copied").waitFor();
  expect(await pasted()).toMatch(/^lk_/);
  const codes = await createCodes();
  await dialog().getByRole("button", { name: "Copy" }).click();
  await dialog().getByText("Copied").waitFor();
  expect(await pasted()).toContain(codes.join("\n"));
  expect(await page.locator(":focus").textContent()).toMatch(/^Cop(?:y|ied)$/);
  expect(await page.locator("textarea").count()).toBe(0);
  await press("Done");
  expect(await page.content()).not.toContain(codes[0]);
  visitor.expectCalm();
});

test("where the browser copies nothing, whatever it says, the text can be copied by hand", async () => {
  await overPlainHttp();
  await page.addInitScript(() => {
    document.execCommand = () => true;
  });
  const codes = await createCodes();
  await dialog().getByRole("button", { name: "Copy" }).click();
  await dialog().getByText("Your browser blocked copying.").waitFor();
  await expectGoodLooks(page);
  expect(await page.getByText("Copied").count()).toBe(0);
  await page.keyboard.press("Escape");
  await dialog().getByText("You'd lose these codes.").waitFor();
  await fieldToCopy().focus();
  await fieldToCopy().evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(0, 5));
  await page.keyboard.press("Control+C");
  expect(await fieldToCopy().count()).toBe(1);
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+C");
  await dialog().getByText("Copied").waitFor();
  expect(await pasted()).toContain(codes.join("\n"));
  expect(await fieldToCopy().count()).toBe(0);
  await press("Done");
  visitor.expectCalm();
});

test("where the clipboard is refused, the old way is tried; printing alone does not count as saved", async () => {
  await page.addInitScript(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("Refused.", "NotAllowedError"));
    window.print = () => {};
  });
  await openReady(page, "/account");
  await press("Copy");
  await page.getByText("Copied").waitFor();
  expect(await pasted()).toMatch(/^lk_/);
  await createCodes();
  await press("Print");
  await dialog().getByRole("button", { name: "I've saved them" }).click();
  await page.getByText("10 codes left").waitFor();
});
