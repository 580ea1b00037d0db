import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { findBrowser } from "@/scripts/install";
import { type RunningService, startService } from "@/tests/support/service";
import { Desktop, type WindowManager } from "./desktop";
import { HostileSite } from "./hostile-site";

// Sites that put a window of the service under the pointer, or the fingers, of somebody who is about to press: between
// the two clicks of a double click, or before one click. Each trial ends with a press that is meant, which proves that
// the button was there.

/** In milliseconds, between the clicks of a double click. */
const GAPS = [80, 150, 250, 400];
const READING_MS = 1_500;
const QUESTION = "Link a program";
const SITE = "A site";
const ARGUMENTS = ["--no-sandbox", "--test-type", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
  // The strongest attacker: one who may open windows at any time.
  .concat("--disable-popup-blocking");

type Commands = (string | number)[];

interface Trial {
  name: string;
  /** What the first page of the site does, and the window that it opens over the question. */
  page: string;
  cover?: string;
  /** Where the question is before: beside the place where the person presses. */
  isAside?: boolean;
  /** Only under this one. twm moves a window before its program hears of it; no site can move that of another. */
  manager?: WindowManager;
  /** The site's own window is brought over the question before, and hears the first press. */
  isBehind?: boolean;
  /** What the person does, and the window manager; `toPlace` moves the question back. */
  act: (toPlace: Commands) => Commands;
}

const HEARD = 'on("mousedown", () => say("pressed"))';
const COVERED = "openQuestion(); later(openCover)";
const DOWN: Commands = ["mousedown", 1];
const UP: Commands = ["mouseup", 1];
const CLICK: Commands = ["click", 1];
const pause = (ms: number) => ["sleep", ms / 1_000];
const doubleClick = (gap: number, between: Commands = []) => [...DOWN, ...UP, ...between, ...pause(gap), ...CLICK];
const ofQuestion = (...commands: Commands) => ["search", "--onlyvisible", "--name", QUESTION, ...commands];
const raised = (title: string): Commands =>
  ["search", "--onlyvisible", "--name", title].concat(
    ...["windowraise", "windowfocus"].map((command) => [command, "%1"]),
  );
const keys = (count: number, ...names: string[]) => ["key", "--delay", 40, ...Array(count).fill(names).flat()];
const eachGap = (trial: (gap: number) => Trial) =>
  GAPS.map((gap) => ({ ...trial(gap), name: `${trial(gap).name}, ${gap} ms` }));

const TRIALS: Trial[] = [
  ...["mousedown", "mouseup", "click"].flatMap((type) =>
    eachGap((gap) => ({
      name: `a window over it that closes on ${type}`,
      page: COVERED,
      cover: `on("${type}", () => close())`,
      act: () => doubleClick(gap),
    })),
  ),
  ...eachGap((gap) => ({
    name: "a window over it that gives its opener the focus and closes",
    page: COVERED,
    cover: 'on("mousedown", () => { opener.focus(); close(); })',
    act: () => doubleClick(gap),
  })),
  ...eachGap((gap) => ({
    name: "a window over it that becomes small and goes aside",
    page: COVERED,
    cover: 'on("mousedown", () => { resizeTo(200, 200); moveTo(1000, 20); })',
    act: () => doubleClick(gap),
  })),
  ...eachGap((gap) => ({
    name: "a window to sign in, which its opener raises",
    page: `openSignIn().then((w) => later(() => { ${HEARD}; on("mousedown", () => w.focus()); say("ready"); }))`,
    isBehind: true,
    act: () => doubleClick(gap),
  })),
  ...eachGap((gap) => ({
    name: "a window that moves under the pointer between two clicks",
    page: 'openQuestion(); later(() => say("ready"))',
    isAside: true,
    act: (toPlace) => doubleClick(gap, toPlace),
  })),
  ...eachGap((gap) => ({
    name: "a window that moves under the pointer, which rests",
    manager: "openbox",
    page: 'openQuestion(); later(() => say("ready"))',
    isAside: true,
    act: (toPlace) => [...toPlace, ...pause(gap), ...CLICK],
  })),
  ...eachGap((gap) => ({
    name: "a window that is raised between two clicks",
    page: `openQuestion(); later(() => { ${HEARD}; say("ready"); })`,
    isBehind: true,
    act: () => doubleClick(gap, raised(QUESTION)),
  })),
  ...[120, 250, 400].map((ms) => ({
    name: `a window that opens in the middle of a game, a click each ${ms} ms`,
    page: 'on("mousedown", () => openQuestion()); later(() => say("ready"))',
    act: () => ["click", "--repeat", Math.ceil(5_000 / ms), "--delay", ms, 1],
  })),
  ...Object.entries<Commands>({
    "Enter, held": ["keydown", "Return", "sleep", 2, "keyup", "Return"],
    "Enter, hammered": keys(25, "Return"),
    "Space, hammered": keys(25, "space"),
  }).map(([name, commands]) => ({
    name: `a window over it that closes on a key: ${name}`,
    page: COVERED,
    cover: 'on("keydown", () => close())',
    act: () => commands,
  })),
];

describe.each<WindowManager>(["openbox", "twm"])("under %s", (manager) => {
  let service: RunningService;
  let site: HostileSite;
  let desktop: Desktop;
  let browser: ChildProcess | undefined;
  /** Where the button that gives access is, in a window that opens where the site wants it. */
  let target = { x: 0, y: 0 };

  beforeAll(async () => {
    // Programs and people of this machine are in one network: nothing but the press is between the two.
    service = await startService(
      { lane: "direct", database: "sqlite" },
      {
        TRUSTED_PROXIES: "",
        // Nobody of this machine counts as a guesser for its many codes.
        LINK_FOREIGN_CODES_PER_10_MINUTES: "1000",
      },
    );
    site = await HostileSite.open(service.url, await sessionOf(service.url));
    desktop = await Desktop.open(manager);
    await begin('openQuestion(); later(() => say("ready"))');
    target = buttonOf(geometry());
    await closeBrowser();
  });
  afterEach(closeBrowser);
  afterAll(async () => {
    await desktop?.close();
    site?.close();
    await service?.stop();
  });

  // expect.poll() is for tests only.
  const heard = (what: string) => vi.waitUntil(() => site.hasHeard(what), { timeout: 120_000 });

  async function begin(page: string, cover = "", untilReady = true): Promise<void> {
    await site.prepare(page, cover);
    const profile = `--user-data-dir=${desktop.folder}/browser`;
    browser = desktop.start("chromium", [...ARGUMENTS, profile, site.entrance]);
    await heard("loaded");
    if (untilReady) await heard("ready");
  }

  async function closeBrowser(): Promise<void> {
    const ended = browser && once(browser, "exit");
    browser?.kill();
    browser = undefined;
    await ended;
  }

  const geometry = () => desktop.geometryOf(QUESTION);
  const buttonOf = ({ x, y, height }: ReturnType<typeof geometry>) => ({ x: x + 130, y: y + height - 40 });

  /** Moves the question to the right. Returns the commands that move it back. */
  function moveAside(): Commands {
    const before = geometry();
    desktop.tell(...ofQuestion("windowmove", "--sync", "%1", before.x + 450, before.y));
    const { x, y } = geometry();
    // The manager counts the frame, or not.
    return ofQuestion("windowmove", "%1", 2 * before.x + 450 - x, 2 * before.y - y);
  }

  /** The person comes from elsewhere with the mouse, and presses. Under twm the focus comes with it, and takes time. */
  const comeAndPress = ({ x, y }: { x: number; y: number }): Commands => {
    const wait = manager === "twm" ? ["mousemove", x, y - 20, "sleep", 1] : [];
    return ["mousemove", 10, 10, ...raised(QUESTION), "sleep", 1, ...wait, "mousemove", x, y, ...CLICK];
  };

  async function expectMeantPress(): Promise<void> {
    await sleep(READING_MS);
    const { x, y } = buttonOf(geometry());
    // Keys may have scrolled the page.
    desktop.tell(...raised(QUESTION), "mousemove", x, y - 60, "key", "Home");
    desktop.tell(...comeAndPress({ x, y }));
    await expect.poll(() => site.token()).toMatch(/^lk/);
  }

  // Of a longer $name, only the beginning would be shown.
  const trials = TRIALS.filter((trial) => (trial.manager ?? manager) === manager);
  test.each(trials.map((trial) => [trial.name, trial] as const))("%s: nothing", async (_, trial) => {
    const { page, cover, isAside, isBehind, act } = trial;
    await begin(page, cover);
    const toPlace = isAside ? moveAside() : [];
    if (isBehind) desktop.tell(...raised(SITE));
    desktop.tell("mousemove", target.x, target.y, "sleep", 1, ...act(toPlace));
    await sleep(READING_MS);
    if (isBehind) expect(site.hasHeard("pressed")).toBe(true);
    expect(await site.token()).toBe("");
    await expectMeantPress();
  });

  /** The person clicks on the site, which opens the question in front. */
  async function openByClick(): Promise<void> {
    await begin('on("click", () => { openQuestion(); later(() => say("ready")); })', "", false);
    desktop.tell("sleep", 1, "mousemove", target.x, target.y, "sleep", 0.5, ...CLICK);
    await heard("ready");
    await sleep(READING_MS);
  }

  test("somebody who has read it, and comes with the mouse, presses once", async () => {
    await openByClick();
    desktop.tell(...comeAndPress(target));
    await expect.poll(() => site.token()).toMatch(/^lk_/);
  });

  test("somebody whose pointer was there before the window reads, and presses once", async () => {
    await openByClick();
    desktop.tell(...CLICK);
    await expect.poll(() => site.token()).toMatch(/^lk_/);
  });

  test("somebody who was in another window, and comes back with the mouse, presses once", async () => {
    await openByClick();
    desktop.tell(...raised(SITE), "sleep", 1, ...raised(QUESTION), "mousemove", target.x, target.y - 20);
    desktop.tell("sleep", 0.8, "mousemove", target.x, target.y, ...CLICK);
    await expect.poll(() => site.token()).toMatch(/^lk_/);
  });
});

/** The cookie of somebody who has just signed up there. */
async function sessionOf(service: string): Promise<string> {
  const browser = await chromium.launch({ executablePath: findBrowser(), args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  await page.goto(`${service}/signup?next=/account`);
  await page.getByLabel("Username").fill("someone_here");
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Sign up", exact: true }).click();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
  const cookies = await page.context().cookies(service);
  await browser.close();
  const session = cookies.find(({ name }) => name.includes("session-token"));
  return `${session?.name}=${session?.value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400`;
}
