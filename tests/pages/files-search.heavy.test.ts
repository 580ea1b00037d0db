import type { Page } from "playwright";
import { expect, test } from "vitest";
import { importDocument } from "@/lib/files/import";
import { chunks, idOf, root, values } from "@/tests/support/documents";
import { newOwner, row } from "./files-page";
import { expectGoodLooks } from "./good-looks";
import { openForEach } from "./open-for-each";
import type { Person } from "./person";
import { openReady } from "./visitor";

const MANY = 250;

let person: Person;
let page: Page;
openForEach(newOwner, async (owner) => {
  person = owner;
  page = owner.page;
  const home = `origin/(c) users/${owner.username}`;
  const folder = (n: number, name: string, location: string) => ({
    type: ".folder",
    name,
    location,
    data: [],
    id: idOf(n),
  });
  const entries = [
    root(owner.username),
    folder(2, "Letters", home),
    folder(3, "From Ada", `${home}/Letters`),
    ...Array.from({ length: MANY }, (_, n) => ({
      type: ".txt",
      name: `note ${n}`,
      location: `${home}/Letters/From Ada`,
      data: "x",
      id: `note-${n}`,
    })),
  ];
  await importDocument(owner, chunks(JSON.stringify(entries.flatMap(values))));
  await openReady(page, "/files");
  await row(page, "Letters").waitFor();
});

const field = () => page.getByRole("searchbox", { name: "Filter" });
const found = () => page.getByRole("list", { name: "Found files and folders" }).getByRole("link");

test("all folders are searched, by keyboard, and a result is pointed out in its folder", async () => {
  await page.keyboard.press("/");
  await expect.poll(() => field().evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.type("NOTE 24");
  await page.getByRole("heading", { name: "No matches for “NOTE 24” in this folder" }).waitFor();
  await page.getByRole("button", { name: "Search all folders" }).click();
  await page.getByText("11 matches").waitFor();
  expect(await found().first().textContent()).toContain("note 24.txtAll filesLettersFrom Ada");
  await expectGoodLooks(page);
  await page.getByRole("link", { name: "note 249.txt" }).focus();
  await page.keyboard.press("Enter");
  await row(page, "note 249.txt").waitFor();
  await expect.poll(() => row(page, "note 249.txt").getAttribute("aria-selected")).toBe("true");
  await expect
    .poll(() => row(page, "note 249.txt").evaluate((element) => element === document.activeElement))
    .toBe(true);
  expect(await field().inputValue()).toBe("");
  await page.goBack();
  await page.getByText("11 matches").waitFor();
  expect(await field().inputValue()).toBe("NOTE 24");
  await page.getByLabel("Search in").selectOption("This folder");
  await page.getByRole("button", { name: "Clear filter" }).click();
  await row(page, "Letters").waitFor();
  await expect.poll(() => field().inputValue()).toBe("");
  person.expectCalm();
});

test("of many results the first hundred are shown, and it says so", async () => {
  await page.getByLabel("Search in").selectOption("All folders");
  await field().fill("note");
  await page.getByText("More than 100 matches.").waitFor();
  expect(await found().count()).toBe(100);
  await field().fill("nothing like it");
  await page.getByRole("heading", { name: "No matches for “nothing like it” in any folder" }).waitFor();
  await expectGoodLooks(page);
  await page.getByRole("button", { name: "Clear filter" }).click();
  await row(page, "Letters").waitFor();
});
