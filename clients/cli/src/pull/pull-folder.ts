import { lstat, mkdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EXIT, Failure } from "../failure";

/** Where this command stores what it needs, in the folder that it writes. */
export const OWN_FOLDER = ".latchkey";

/** The folder that is written. Nothing outside of it is ever touched: links in it are not followed. */
export class PullFolder {
  /** Folders that were checked in this run. */
  private readonly checked = new Set([""]);
  private readonly asideFolder: string;
  /** What was moved aside: paths from the root. */
  readonly aside: string[] = [];

  /** `root`: without links in its path. */
  constructor(readonly root: string) {
    this.asideFolder = `${OWN_FOLDER}/replaced/${new Date().toISOString().replaceAll(":", "-").slice(0, 23)}`;
  }

  at(path: string): string {
    return join(this.root, path);
  }

  /** Makes sure that this is a folder, and not a link to one. Whatever else is in the way is moved aside. */
  async folder(path: string): Promise<void> {
    if (this.checked.has(path)) return;
    await this.folder(above(path));
    const stats = await lstat(this.at(path)).catch(ifMissing);
    const isBlocked = stats !== undefined && !stats.isDirectory();
    if (isBlocked && (path === OWN_FOLDER || path.startsWith(`${OWN_FOLDER}/`)))
      throw new Failure(EXIT.failed, "in_the_way", `${this.at(path)} is not a folder. Move it away.`);
    if (isBlocked) await this.moveAside(path);
    if (!stats?.isDirectory()) await mkdir(this.at(path));
    this.checked.add(path);
  }

  /** Moves a file, a link or a folder to where the user finds it again. */
  async moveAside(path: string): Promise<void> {
    const to = `${this.asideFolder}/${path}`;
    await this.folder(above(to));
    await rename(this.at(path), this.at(to));
    for (const folder of this.checked)
      if (folder === path || folder.startsWith(`${path}/`)) this.checked.delete(folder);
    this.aside.push(path);
  }

  /** Removes a folder if nothing is left in it. */
  async removeEmpty(path: string): Promise<void> {
    await rmdir(this.at(path)).catch(() => {});
    this.checked.delete(path);
  }

  async remove(path: string): Promise<void> {
    await rm(this.at(path), { force: true });
  }

  /** The folder with what was moved aside. */
  get asidePath(): string {
    return this.at(this.asideFolder);
  }
}

/** The path of the folder that this is in. */
export const above = (path: string): string => (path.includes("/") ? dirname(path) : "");

/** Undefined for a file that is not there. Other errors are thrown. */
export function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
