// npm run demo: a service with invented users, on a port and in a folder of its own. Both are gone when it ends.
import "./output.mjs";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { parseEnv } from "node:util";
import type { Browser, Page } from "playwright";
import type { DemoUser } from "./demo-world";
import { endWithThisProcess, isFree, stopServer } from "./scratch-server";

const FIRST_PORT = 3_300;
/** No setting of the service: what is set here is for services with real data. */
const RETAINED = /^(?:PATH|HOME|USER|SHELL|TMPDIR|TEMP|TMP|LANG|LC_\w+|TZ|TERM|NO_COLOR|LD_LIBRARY_PATH)$/;

process.chdir(join(import.meta.dirname, ".."));
const port = process.env.PORT || String(await nextFreePort());
const unset = emptied();
const folder = mkdtempSync(join(tmpdir(), "latchkey-demo-"));
for (const name of Object.keys(process.env)) if (!RETAINED.test(name)) delete process.env[name];
Object.assign(process.env, { DATA_DIR: join(folder, "data"), HOST: "127.0.0.1", PORT: port, LOG_LEVEL: "error" });

const service = spawn(process.execPath, ["scripts/start.mjs"], {
  env: { ...unset, ...process.env },
  stdio: ["ignore", "inherit", "pipe"],
});
endWithThisProcess(service, folder);
let status: number | undefined;
const end = async (code: number) => {
  status ??= code;
  await stopServer(service, folder);
  process.exit(status);
};
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(0));
service.once("exit", () => void end(1));

const origin = await originOf(service);
try {
  // Only now: it reads the environment, and opens the database that the service has created.
  const { createWorld } = await import("./demo-world");
  const users = await createWorld(origin);
  if (process.argv.includes("--pictures")) {
    await takePictures(origin, users[0]);
    await end(0);
  }
  console.log(welcome(users));
} catch (error) {
  if (status === undefined) console.error(error);
  await end(1);
}

async function nextFreePort(): Promise<number> {
  let port = FIRST_PORT;
  while (!(await isFree(port))) port++;
  return port;
}

/** Every variable of a file from which the service would read it, empty: that counts as unset, and no file sets it. */
function emptied(): Record<string, string> {
  const files = readdirSync(".").filter((name) => /^\.env(?:$|\.)/.test(name));
  const names = files.flatMap((file) => Object.keys(parseEnv(readFileSync(file, "utf8").replace(/^\uFEFF/, ""))));
  return Object.fromEntries(names.map((name) => [name, ""]));
}

/** Where the service is, as soon as it responds. Shows what it prints, but not its own welcome. */
function originOf({ stderr }: { stderr: Readable }): Promise<string> {
  return new Promise((resolve) => {
    createInterface(stderr).on("line", (line) => {
      const [, address] = /^Latchkey \S+ is running at (\S+)/.exec(line) ?? [];
      if (address) resolve(address);
      else if (!line.startsWith("  ")) console.error(line);
    });
  });
}

function welcome([alice, bob, carol]: readonly [DemoUser, DemoUser, DemoUser]): string {
  const user = ({ username, password }: DemoUser, sights: string) => `  ${username.padEnd(6)} ${password}  ${sights}`;
  return `
Latchkey's demo is running at ${origin}. Sign in as one of these users:

${user(alice, "sells keys: see /keys, /files, and a linked program on /account")}
${user(bob, "holds keys, one of which ends in six days: see /keys")}
${user(carol, "is an administrator: see the console on /admin")}

In another terminal, this program asks to be linked: npm run demo:link -- ${origin}
Everything is in a temporary folder. Press Ctrl+C to end the demo, which deletes it.
`;
}

/** Writes the README's pictures: two pages of the demo at `origin`, as this user sees them. */
async function takePictures(origin: string, user: DemoUser): Promise<void> {
  // Only for pictures: an installation without development's packages shows the demo, too.
  const [{ chromium }, { findBrowser }] = [await import("playwright"), await import("./install")];
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", "--disable-gpu"] });
  try {
    const page = await signedIn(browser, origin, user);
    await page.goto("/files");
    await page.getByRole("row", { name: "hills at dawn.png" }).getByRole("checkbox").check();
    await page.mouse.move(0, 0);
    await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    await page.screenshot({ path: "docs/files.png" });

    const response = await fetch(`${origin}/link/code?name=Tidepool&access=read`);
    const { code } = (await response.json()) as { code: string };
    await page.goto(`/link?code=${code}`);
    await page.getByRole("button", { name: "Link this program", disabled: false }).waitFor();
    await page.screenshot({ path: "docs/link.png" });
  } finally {
    await browser.close();
  }
}

async function signedIn(browser: Browser, baseURL: string, { username, password }: DemoUser): Promise<Page> {
  const page = await browser.newPage({
    baseURL,
    viewport: { width: 1280, height: 780 },
    deviceScaleFactor: 2,
    reducedMotion: "reduce",
  });
  await page.goto("/signin");
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname !== "/signin");
  return page;
}
