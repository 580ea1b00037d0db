import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import type { Browser } from "playwright";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { db } from "@/lib/db/client";
import { importDocument } from "@/lib/files/import";
import { createKey } from "@/lib/keys/create";
import { findUser } from "@/lib/user";
import { approve, deny } from "@/tests/contract/link";
import { ask, origin } from "@/tests/support/http";
import { newNetwork } from "@/tests/support/network";
import { makeUser } from "@/tests/support/user";
import { type BadLine, openBadLine } from "./bad-line";
import { launchBrowser } from "./person";
import { newVisitor, revealedToken, signUp } from "./visitor";

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const open: { close: () => void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

interface Demo {
  child: ChildProcess;
  /** Everything that it printed. */
  printed: () => string;
  /** Waits until it prints this. */
  says: (words: RegExp, timeout?: number) => Promise<RegExpExecArray>;
  status: Promise<number | null>;
}

function startDemo(...parameters: string[]): Demo {
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/demo-link.ts", ...parameters], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  open.push({ close: () => child.kill("SIGKILL") });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      text += chunk;
    });
  const status = once(child, "exit").then(([code]) => code);
  const says = (words: RegExp, timeout = 30_000) =>
    vi.waitFor(() => words.exec(text) ?? expect.fail(`It never said ${words}, but:\n${text}`), {
      timeout,
      interval: 50,
    });
  return { child, printed: () => text, says, status };
}

async function startOnBadLine(change: Partial<BadLine> = {}): Promise<{ demo: Demo; line: BadLine }> {
  const line = Object.assign(await openBadLine(newNetwork().id), change);
  open.push(line);
  return { demo: startDemo(line.url), line };
}

const LETTERS = /check that the letters match: ([A-Z]{6})/;
const letters = async (demo: Demo) => (await demo.says(LETTERS))[1] ?? "";

test("a person with a phone links the program beside it", async () => {
  const { page } = await newVisitor(browser);
  await page.setViewportSize({ width: 390, height: 844 });
  const username = await signUp(page);
  const user = await findUser(username);
  await createKey(user, { data: "a secret of the key", price: "1", name: "Red \u001b[31mdoor" });
  await createKey(user, { data: "another secret", price: "2", name: "" });

  const demo = startDemo(origin);
  const code = await letters(demo);
  const [, address = ""] = await demo.says(/Open (\S+)/);
  await page.goto(address);
  expect(await page.getByRole("img", { name: /^The letters/ }).textContent()).toBe(code);
  await page.getByText("latchkey-demo").first().waitFor();
  await page.getByRole("button", { name: "Link this program", exact: true }).click();
  await page.getByText("The program has collected your token.").waitFor();

  expect(await demo.status).toBe(0);
  expect(demo.printed()).toContain(`Linked to ${username}.`);
  expect(demo.printed()).toMatch(
    /Keys: {2}2\n {7}Red \?\[31mdoor, created by \w+\n {7}[0-9a-f]{32}, created by \w+\nFiles: none yet\n$/,
  );
  expect(demo.printed()).not.toContain((await revealedToken(page)).slice(4));
  expect(demo.printed()).not.toContain("secret");
});

test("a lost network is said, waited for, and loses nothing", async () => {
  const user = await makeUser();
  const files = [".folder", user.username, "origin/(c) users", [], "", 0, 0, 0, 1, 1, "", 0, [], "0".repeat(32)];
  await importDocument(user, Readable.from([Buffer.from(JSON.stringify(files))]));
  const { demo, line } = await startOnBadLine();
  const code = await letters(demo);
  line.isCut = true;
  await demo.says(/cannot be reached \(.+\)\. Trying again in 1 s\./);
  await approve(code, user);
  await demo.says(/Trying again in 2 s\./);
  line.isCut = false;
  expect(await demo.status).toBe(0);
  expect(demo.printed()).toContain(`Linked to ${user.username}.`);
  expect(demo.printed()).toMatch(/Keys: {2}none yet\nFiles: 1\d\d bytes\n$/);
});

test("a service that is not there yet is waited for", async () => {
  const { demo, line } = await startOnBadLine({ isCut: true });
  await demo.says(/cannot be reached/);
  line.isCut = false;
  await letters(demo);
});

test("a throttled network waits for the given time, and then continues", async () => {
  const network = newNetwork().id;
  const answers = await Promise.all(Array.from({ length: 301 }, () => ask("/link/code", { network })));
  // So many requests would push those of other tests off the first page of the console.
  await db.linkCode.deleteMany({ where: { network } });
  const wait = Number(answers.find(({ status }) => status === 429)?.headers["retry-after"]);
  const { demo } = await startOnBadLine({ network });
  const [, seconds] = await demo.says(/Too many requests from this network\. Trying again in (\d+) s\./);
  expect(Number(seconds)).toBeLessThanOrEqual(wait);
  await demo.says(LETTERS, 60_000);
  expect(demo.printed().match(/Too many/g)).toHaveLength(1);
});

test("a code that expired is followed by a new one", async () => {
  const { demo } = await startOnBadLine({ expiresIn: "3" });
  const first = await letters(demo);
  await demo.says(/This code has expired\. Here is a new one\./);
  const [, second = ""] = await demo.says(/expired[\s\S]+check that the letters match: ([A-Z]{6})/);
  expect(second).not.toBe(first);
  const user = await makeUser();
  await approve(second, user);
  await demo.says(new RegExp(`Linked to ${user.username}\\.`));
});

test("a denial stops it at once", async () => {
  const demo = startDemo(origin);
  await deny(await letters(demo), await makeUser());
  expect(await demo.status).toBe(1);
  expect(demo.printed()).toMatch(/\nYou denied this program\. It stops\.\n$/);
});

test.each(["SIGINT", "SIGTERM"] as const)("%s makes it leave at once, with nothing but a word", async (signal) => {
  const demo = startDemo(origin);
  await letters(demo);
  demo.child.kill(signal);
  expect(await demo.status).toBe(130);
  expect(demo.printed()).toMatch(/Waiting for you to link it\.\n\nStopped\.\n$/);
});

test.each(["nonsense", "ftp://localhost:3000"])("%s is refused as an address, in a sentence", async (address) => {
  const demo = startDemo(address);
  expect(await demo.status).toBe(1);
  expect(demo.printed()).toMatch(/^“.+” is not a valid address\. Usage: .+\n$/);
});
