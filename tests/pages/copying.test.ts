import { expect, test } from "vitest";
import { expectGoodLooks } from "./good-looks";
import { press, pressKeys, submit, told } from "./on-page";
import { newSignedIn, openReady, PASSWORD } from "./visitor";

test("what the clipboard refuses is copied the old way, or by hand, and nothing of it stays in the page", async () => {
  const { page, token, expectCalm } = await newSignedIn();
  const dialog = page.getByRole("dialog");
  /** What can be pasted now, read past what a step of this test put in the clipboard's place. */
  const pasted = () =>
    page.evaluate(() => {
      const clipboard = Object.getOwnPropertyDescriptor(Navigator.prototype, "clipboard")?.get?.call(navigator);
      return clipboard.readText() as Promise<string>;
    });
  async function createCodes(button: string): Promise<string[]> {
    await press(page, button);
    await submit(dialog, { "Your password": PASSWORD }, "Create codes");
    await told(page, "They can't be shown again.");
    return dialog.getByRole("listitem").allTextContents();
  }
  await openReady(page, "/account");
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException("Refused.", "NotAllowedError"));
    window.print = () => {};
  });
  await page.getByRole("button", { name: "Copy", exact: true }).first().click();
  await told(page, "Copied");
  expect(await pasted()).toBe(token);
  // Printing alone does not count as saved.
  await createCodes("Create recovery codes");
  await press(dialog, "Print");
  await press(dialog, "I've saved them");
  await told(page, "10 codes left");

  // Over plain HTTP, browsers offer a page only the old way.
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  let codes = await createCodes("Create new codes");
  await press(dialog, "Copy", "Copied");
  expect(await pasted()).toContain(codes.join("\n"));
  expect(await page.locator(":focus").textContent()).toMatch(/^Cop(?:y|ied)$/);
  expect(await page.locator("textarea").count()).toBe(0);
  await press(page, "Done");
  await dialog.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(codes[0]);

  // Where the browser copies nothing, whatever it says.
  await page.evaluate(() => {
    document.execCommand = () => true;
  });
  codes = await createCodes("Create new codes");
  await press(dialog, "Copy", "Your browser blocked copying.");
  await expectGoodLooks(page);
  expect(await dialog.getByText("Copied").count()).toBe(0);
  await page.keyboard.press("Escape");
  await told(dialog, "You'd lose these codes.");
  const field = page.getByRole("textbox", { name: "Text to copy" });
  await field.focus();
  await field.evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(0, 5));
  await page.keyboard.press("Control+C");
  expect(await field.count()).toBe(1);
  await pressKeys(page, "Control+A", "Control+C");
  await told(dialog, "Copied");
  expect(await pasted()).toContain(codes.join("\n"));
  expect(await field.count()).toBe(0);
  await press(page, "Done");
  expectCalm();
});
