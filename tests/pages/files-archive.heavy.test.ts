import { execFileSync } from "node:child_process";
import type { Page } from "playwright";
import { expect, test } from "vitest";
import { enterFolder, makeFolder, newOwner, row, textFile, uploadFiles } from "./files-page";
import { openForEach } from "./open-for-each";
import type { Person } from "./person";

let person: Person;
let page: Page;
openForEach(newOwner, (owner) => {
  person = owner;
  page = owner.page;
});

const dialog = () => page.getByRole("dialog");

/** Clicks what downloads, and returns the archive's name and what an independent reader finds in it. */
async function downloaded(click: () => Promise<void>): Promise<{ name: string; files: Record<string, string> }> {
  const [download] = await Promise.all([page.waitForEvent("download"), click()]);
  const script =
    "import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; " +
    "print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))";
  const files = JSON.parse(execFileSync("python3", ["-c", script, await download.path()], { encoding: "utf8" }));
  return { name: download.suggestedFilename(), files };
}

test("several entries and a folder are downloaded as one archive", async () => {
  await makeFolder(page, "Box");
  await enterFolder(page, "Box");
  await uploadFiles(page, [textFile("a.txt"), textFile("b.txt")], 2);
  await page.getByRole("link", { name: "All files" }).click();
  await uploadFiles(page, textFile("c.txt"));
  await row(page, "Box").click();
  await row(page, "c.txt").click({ modifiers: ["Control"] });
  const inBox = { "Box/": "", "Box/a.txt": "text of a.txt", "Box/b.txt": "text of b.txt" };
  expect(await downloaded(() => page.getByRole("toolbar").getByRole("button", { name: "Download" }).click())).toEqual({
    name: `${person.username}.zip`,
    files: { ...inBox, "c.txt": "text of c.txt" },
  });
  await dialog().getByText("Saved as").waitFor();
  await dialog().getByRole("button", { name: "Done" }).click();

  await page.getByTitle("Clear selection").click();
  await page.getByRole("button", { name: "More actions for Box" }).click();
  expect(await downloaded(() => page.getByRole("menuitem", { name: "Download" }).click())).toEqual({
    name: "Box.zip",
    files: inBox,
  });
  await dialog().getByRole("button", { name: "Done" }).click();
  // The menu was about a row that was not selected, and leaves it so.
  expect(await page.locator("[role=grid] tbody tr[aria-selected=true]").count()).toBe(0);
  person.expectCalm();
});

test("an archive that breaks off is not saved, and can be tried again", async () => {
  await makeFolder(page, "Box");
  let saved = 0;
  page.on("download", () => saved++);
  await page.route("**/files/archive", (route) => route.abort());
  await row(page, "Box").click();
  await page.getByRole("toolbar").getByRole("button", { name: "Download" }).click();
  await dialog().getByRole("alert").filter({ hasText: /./ }).waitFor();
  expect(saved).toBe(0);
  await page.unrouteAll();
  expect((await downloaded(() => dialog().getByRole("button", { name: "Try again" }).click())).files).toEqual({
    "Box/": "",
  });
});

test("an archive needs a session and a page of our own", async () => {
  await makeFolder(page, "Box");
  const id = await row(page, "Box").getAttribute("data-entry");
  const send = (headers: Record<string, string>) =>
    page.request.post("/files/archive", { data: JSON.stringify({ ids: [id] }), headers });
  const origin = new URL(page.url()).origin;
  expect((await send({})).status()).toBe(403);
  expect((await send({ origin: "https://elsewhere.test" })).status()).toBe(403);
  const answer = await send({ origin });
  expect([answer.status(), answer.headers()["content-type"]]).toEqual([200, "application/zip"]);
  expect((await page.request.post("/files/archive", { data: "{}", headers: { origin } })).status()).toBe(400);
  await person.context.clearCookies();
  expect((await send({ origin })).status()).toBe(401);
});
