import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** A program that runs, without an input unless `options` say otherwise. */
export class Program {
  readonly child: ChildProcess;
  /** What it has printed until now, on either output. */
  output = "";
  /** Its exit status, or the signal that ended it, once all of its output is there. */
  private readonly ended: Promise<number | string>;
  private hasEnded = false;

  constructor([command = "", ...parameters]: readonly string[], options: SpawnOptions = {}) {
    this.child = spawn(command, parameters, { stdio: ["ignore", "pipe", "pipe"], ...options });
    for (const stream of [this.child.stdout, this.child.stderr]) stream?.on("data", (chunk) => (this.output += chunk));
    this.ended = new Promise((resolve) => {
      this.child.once("close", (code, signal) => {
        this.hasEnded = true;
        resolve(code ?? signal ?? "");
      });
    });
  }

  /** The first group of this pattern in what it prints, as soon as it is there. Throws if the program ends instead. */
  async shown(pattern: RegExp): Promise<string> {
    for (;;) {
      const hasEnded = this.hasEnded;
      const found = pattern.exec(this.output);
      if (found) return found[1] ?? found[0];
      if (hasEnded) throw new Error(`The program ended (${await this.ended}):\n${this.output}`);
      await sleep(20);
    }
  }

  exit(): Promise<number | string> {
    return this.ended;
  }
}
