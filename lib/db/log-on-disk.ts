import { closeSync, fdatasync, openSync, realpathSync } from "node:fs";
import { promisify } from "node:util";

const synchronize = promisify(fdatasync);

/**
 * Brings the write-ahead log of an SQLite database to the disk, in a thread of libuv: the same call within a commit
 * would stop the event loop.
 */
export class LogOnDisk {
  private log: number | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly file: string) {}

  /** Resolves when all that was committed is on the disk. Throws the system's error. */
  synchronize(): Promise<void> {
    this.running = this.synchronizeNow();
    return this.running;
  }

  close(): void {
    const end = () => {
      if (this.log !== undefined) closeSync(this.log);
    };
    this.running.then(end, end);
  }

  private async synchronizeNow(): Promise<void> {
    // Exists since the first commit, and is replaced only when no process has the database open. If the database's name
    // is a symbolic link, SQLite puts the log beside the file itself.
    this.log ??= openSync(`${realpathSync(this.file)}-wal`, "r+");
    await synchronize(this.log);
  }
}
