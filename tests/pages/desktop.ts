import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { endWithThisProcess } from "@/scripts/scratch-server";

// A screen with a window manager, and a browser on it that only a mouse and keys drive: whoever drives a browser by its
// protocol makes each of its windows believe that it has the focus.

interface Rectangle {
  x: number;
  y: number;
  height: number;
}

export type WindowManager = "openbox" | "twm";

/** By itself, it asks where each window goes. The focus follows its pointer. */
const TWM = 'RandomPlacement\nUsePPosition "on"\n';

export class Desktop {
  private constructor(
    readonly folder: string,
    private readonly screen: ChildProcess,
    private readonly display: string,
  ) {}

  static async open(manager: WindowManager): Promise<Desktop> {
    const folder = mkdtempSync(join(tmpdir(), "latchkey-desktop-"));
    const screen = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1300x900x24"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    endWithThisProcess(screen, folder);
    const [number] = await once(createInterface(screen.stdout), "line");
    const desktop = new Desktop(folder, screen, `:${number}`);
    const settings = join(folder, "twmrc");
    writeFileSync(settings, TWM);
    desktop.start(manager, manager === "twm" ? ["-f", settings] : []);
    await sleep(1_000);
    return desktop;
  }

  /** Starts a program, which ends with the screen. */
  start(program: string, parameters: string[]): ChildProcess {
    return spawn(program, parameters, { stdio: "ignore", env: this.environment });
  }

  private get environment() {
    return { ...process.env, DISPLAY: this.display, HOME: this.folder };
  }

  /** Chains commands of xdotool, which does one after another without a pause. Returns what they print. */
  tell(...commands: (string | number)[]): string {
    return execFileSync("xdotool", commands.map(String), { env: this.environment, encoding: "utf8" }).trim();
  }

  /** The position and size of the window whose title contains this. */
  geometryOf(title: string): Rectangle {
    const id = this.tell("search", "--onlyvisible", "--name", title).split("\n").at(-1) ?? "";
    const told = this.tell("getwindowgeometry", "--shell", id);
    const of = (name: string) => Number(new RegExp(`^${name}=(-?\\d+)$`, "m").exec(told)?.[1]);
    return { x: of("X"), y: of("Y"), height: of("HEIGHT") };
  }

  async close(): Promise<void> {
    const ended = once(this.screen, "exit");
    this.screen.kill();
    await ended;
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
