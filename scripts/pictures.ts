// npm run pictures <address>: takes the README's pictures from the service running there, signed in as a user created
// for this

import { randomBytes } from "node:crypto";
import { chromium } from "playwright";
import { findBrowser } from "./browser";

const address = process.argv[2];
if (!address) {
  console.error("Usage: npm run pictures http://localhost:3000");
  process.exit(2);
}

const flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"];
const browser = await chromium.launch({ executablePath: findBrowser(), args: flags });
try {
  const page = await browser.newPage({
    baseURL: address,
    viewport: { width: 1280, height: 860 },
    deviceScaleFactor: 2,
    colorScheme: "light",
  });
  await page.goto("/signup?next=/link");
  await page.getByLabel("Username").fill(`ada-${randomBytes(2).toString("hex")}`);
  await page.getByLabel("Password", { exact: true }).fill(randomBytes(12).toString("base64url"));
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.waitForURL(`${address}/link`);

  const { code } = await (await fetch(`${address}/link/code`, { headers: { "User-Agent": "curl/8.5.0" } })).json();
  await page.getByLabel("Code").fill(code);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Link this program" }).waitFor();
  // As tall as the question, with its two buttons.
  await page.setViewportSize({ width: 1280, height: 1080 });
  await page.screenshot({ path: "docs/link.png" });
  await page.setViewportSize({ width: 1280, height: 860 });
  console.log("Wrote docs/link.png");

  await page.goto("/files");
  await page.locator("input[webkitdirectory]").waitFor({ state: "attached" });
  for (const name of ["Letters", "Photographs"]) {
    await page.getByRole("button", { name: "New folder" }).click();
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByRole("button", { name: "Create folder" }).click();
    await page.getByRole("link", { name }).waitFor();
  }
  const files = [
    {
      name: "engine notes.txt",
      mimeType: "text/plain",
      buffer: Buffer.from("The engine weaves algebraic patterns.\n".repeat(90)),
    },
    {
      name: "programme.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify({ variables: 24, cards: [1, 2, 3] })),
    },
    { name: "portrait.png", mimeType: "image/png", buffer: await page.screenshot() },
    { name: "loom.mp3", mimeType: "audio/mpeg", buffer: randomBytes(2_400_000) },
    { name: "numbers of Bernoulli.csv", mimeType: "text/csv", buffer: Buffer.from("n,B\n0,1\n1,-0.5\n".repeat(40)) },
  ];
  await page.getByLabel("Files to upload").setInputFiles(files);
  await page.getByText(`${files.length} files uploaded`).waitFor();
  await page.getByLabel("Close the list of uploads").click();
  await page.getByRole("link", { name: "portrait.png" }).waitFor();
  await page.getByRole("row", { name: "portrait.png" }).click();
  await page.screenshot({ path: "docs/files.png" });
  console.log("Wrote docs/files.png");
} finally {
  await browser.close();
}
