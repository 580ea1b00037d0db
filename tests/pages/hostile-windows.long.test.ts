import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { startOperator } from "@/tests/soak/operator";
import { type RunningService, startService } from "@/tests/support/service";
import { signInByPassword } from "@/tests/support/user";
import { Desktop, HostileSite, type WindowManager } from "./hostile-desktop";

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
  /** Of the presses, in milliseconds. */
  gaps?: number[];
  /** What the person does, and the window manager, if no double click; `toPlace` moves the question back. */
  act?: (gap: number, toPlace: Commands) => Commands;
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
const READY = 'openQuestion(); later(() => say("ready"))';

const TRIALS: Trial[] = [
  ...["mousedown", "mouseup", "click"].map((type) => ({
    name: `a window over it that closes on ${type}`,
    page: COVERED,
    cover: `on("${type}", () => close())`,
  })),
  {
    name: "a window over it that gives its opener the focus and closes",
    page: COVERED,
    cover: 'on("mousedown", () => { opener.focus(); close(); })',
  },
  {
    name: "a window over it that becomes small and goes aside",
    page: COVERED,
    cover: 'on("mousedown", () => { resizeTo(200, 200); moveTo(1000, 20); })',
  },
  {
    name: "a window to sign in, which its opener raises",
    page: `openSignIn().then((w) => later(() => { ${HEARD}; on("mousedown", () => w.focus()); say("ready"); }))`,
    isBehind: true,
  },
  {
    name: "a window that moves under the pointer between two clicks",
    page: READY,
    isAside: true,
    act: doubleClick,
  },
  {
    name: "a window that moves under the pointer, which rests",
    manager: "openbox",
    page: READY,
    isAside: true,
    act: (gap, toPlace) => [...toPlace, ...pause(gap), ...CLICK],
  },
  {
    name: "a window that is raised between two clicks",
    page: `openQuestion(); later(() => { ${HEARD}; say("ready"); })`,
    isBehind: true,
    act: (gap) => doubleClick(gap, raised(QUESTION)),
  },
  {
    name: "a window that opens in the middle of a game",
    page: 'on("mousedown", () => openQuestion()); later(() => say("ready"))',
    gaps: [120, 250, 400],
    act: (gap) => ["click", "--repeat", Math.ceil(5_000 / gap), "--delay", gap, 1],
  },
  ...Object.entries<Commands>({
    "Enter, held": ["keydown", "Return", "sleep", 2, "keyup", "Return"],
    "Enter, hammered": keys(25, "Return"),
    "Space, hammered": keys(25, "space"),
  }).map(([name, commands]) => ({
    name: `a window over it that closes on a key: ${name}`,
    page: COVERED,
    cover: 'on("keydown", () => close())',
    gaps: [40],
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
    site = await HostileSite.open(service.url, await sessionOf(service));
    desktop = await Desktop.open(manager);
    await begin(READY);
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
  const trials = TRIALS.filter((trial) => (trial.manager ?? manager) === manager).flatMap((trial) =>
    (trial.gaps ?? GAPS).map((gap) => [trial.name, gap, trial] as const),
  );
  test.each(trials)("%s, %d ms: nothing", async (_, gap, trial) => {
    const { page, cover, isAside, isBehind, act = doubleClick } = trial;
    await begin(page, cover);
    const toPlace = isAside ? moveAside() : [];
    if (isBehind) desktop.tell(...raised(SITE));
    desktop.tell("mousemove", target.x, target.y, "sleep", 1, ...act(gap, toPlace));
    await sleep(READING_MS);
    if (isBehind) expect(site.hasHeard("pressed")).toBe(true);
    expect(await site.token()).toBe("");
    await expectMeantPress();
  });

  test.each<[string, () => void]>([
    ["has read it, and comes with the mouse,", () => desktop.tell(...comeAndPress(target))],
    ["had the pointer there before the window, and reads,", () => desktop.tell(...CLICK)],
    [
      "was in another window, and comes back with the mouse,",
      () => {
        desktop.tell(...raised(SITE), "sleep", 1, ...raised(QUESTION), "mousemove", target.x, target.y - 20);
        desktop.tell("sleep", 0.8, "mousemove", target.x, target.y, ...CLICK);
      },
    ],
  ])("somebody who %s presses once", async (_, press) => {
    // A click on the site opens the question in front.
    await begin('on("click", () => { openQuestion(); later(() => say("ready")); })', "", false);
    desktop.tell("sleep", 1, "mousemove", target.x, target.y, "sleep", 0.5, ...CLICK);
    await heard("ready");
    await sleep(READING_MS);
    press();
    await expect.poll(() => site.token()).toMatch(/^lk_/);
  });
});

/** The cookie of somebody who has just signed in there. */
async function sessionOf({ url, storage }: RunningService): Promise<string> {
  const operator = await startOperator({ ...storage, NEXTAUTH_URL: url });
  await operator.tell("createUser", "someone_here", "correct horse battery");
  operator.stop();
  const cookies = await signInByPassword(url, "someone_here", "correct horse battery");
  const session = cookies.split("; ").find((cookie) => cookie.includes("session-token"));
  return `${session}; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400`;
}
