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

test.for(["Cancel never.bin", "Cancel all"])("%s: leaves nothing of a file that is being sent", async (button) => {
  const person = await ownerIn(shared);
  await page.route("**/files/uploads/*", (route) =>
    route.request().method() === "PUT" ? undefined : route.continue(),
  );
  const part = page.waitForRequest((request) => request.method() === "PUT");
  await pickFiles(page, newFile("never.bin").path);
  await part;
  expect(await begun(person.id)).toBe(1);
  // Its bar moves the buttons below, which then wait.
  await uploadsPanel(page).getByRole("progressbar", { name: "never.bin" }).waitFor();
  await page.getByRole("button", { name: button }).click();
  await expect.poll(() => begun(person.id)).toBe(0);
  await expectNothing();
  expect(await pathsOf(person)).toEqual([]);
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
