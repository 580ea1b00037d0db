import { beforeEach, expect, test } from "vitest";
import { db } from "@/lib/platform/db/client";
import { fileWriter, ownerIn, pathsOf, pickFiles, uploadsPanel } from "./files-page";
import { told } from "./on-page";
import { newVisitor } from "./visitor";

const shared = await newVisitor();
const { page } = shared;
beforeEach(() => page.unrouteAll());
const newFile = fileWriter();

const begun = (userId: string) => db.fileDraft.count({ where: { userId, refreshedAt: { not: null } } });

async function expectNothing(): Promise<void> {
  await told(page, "Nothing was uploaded");
  await page.getByLabel("Close the list of uploads").click();
  await page.locator("[data-uploads]").waitFor({ state: "detached" });
}

/** Begins an upload that no part of is ever taken. */
async function sendNever(): Promise<void> {
  await page.route("**/files/uploads/*", (route) =>
    route.request().method() === "PUT" ? undefined : route.continue(),
  );
  const part = page.waitForRequest((request) => request.method() === "PUT");
  await pickFiles(page, newFile("never.bin").path);
  await part;
}

test.for(["Cancel never.bin", "Cancel all"])("%s: leaves nothing of a file that is being sent", async (button) => {
  const person = await ownerIn(shared);
  await sendNever();
  expect(await begun(person.id)).toBe(1);
  // Its bar moves the buttons below, which then wait.
  await uploadsPanel(page).getByRole("progressbar", { name: "never.bin" }).waitFor();
  await page.getByRole("button", { name: button }).click();
  await expect.poll(() => begun(person.id)).toBe(0);
  await expectNothing();
  expect(await pathsOf(person)).toEqual([]);
});

test("Cancel all: counts at the page's end, where its panel comes loose from the window", async () => {
  await ownerIn(shared);
  await sendNever();
  const button = page.getByRole("button", { name: "Cancel all" });
  await button.click({ trial: true });
  const waits = await button.evaluate(async (one) => {
    const states: (string | null)[] = [];
    for (const top of [0, document.body.scrollHeight, 0, document.body.scrollHeight]) {
      scrollTo({ top, behavior: "instant" });
      for (let looks = 0; looks < 4; looks++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        states.push(one.getAttribute("aria-disabled"));
      }
    }
    return states.filter((state) => state !== null);
  });
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(0);
  expect(waits).toEqual([]);
  await button.click();
  await expectNothing();
});

test("cancelled before the service answered that it began, or while it does not respond: leaves nothing", async () => {
  const person = await ownerIn(shared);
  let answer = () => {};
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/files/uploads", async (route) => {
    const response = await route.fetch();
    await isAnswered;
    await route.fulfill({ response }).catch(() => {});
  });
  await page.route("**/files/uploads/*", (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  const never = newFile("never.bin").path;

  await pickFiles(page, never);
  await expect.poll(() => begun(person.id)).toBe(1);
  await page.getByRole("button", { name: "Cancel never.bin" }).click();
  await expectNothing();
  answer();
  await expect.poll(() => begun(person.id)).toBe(0);

  await pickFiles(page, never);
  await told(uploadsPanel(page), "No response, retrying");
  expect(await begun(person.id)).toBe(1);
  await page.getByRole("button", { name: "Cancel never.bin" }).click();
  await expectNothing();
  await expect.poll(() => begun(person.id)).toBe(0);
});
