import { lstat, mkdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EXIT, Failure } from "../failure";

/** Where this command keeps what it needs, in the folder that it writes. */
export const OWN_FOLDER = ".latchkey";

/** The folder that is written. Nothing outside of it is ever touched: links in it are not followed. */
export class KeptFolder {
  /** Folders that were looked at in this run. */
  private readonly known = new Set([""]);
  private readonly putAside: string;
  /** What was moved aside: paths from the root. */
  readonly aside: string[] = [];

  /** `root`: without links in its path. */
  constructor(readonly root: string) {
    this.putAside = `${OWN_FOLDER}/replaced/${new Date().toISOString().replaceAll(":", "-").slice(0, 23)}`;
  }

  at(path: string): string {
    return join(this.root, path);
  }

  /** Makes sure that this is a folder, and not a link to one. Whatever else is in the way is moved aside. */
  async folder(path: string): Promise<void> {
    if (this.known.has(path)) return;
    await this.folder(above(path));
    const found = await lstat(this.at(path)).catch(ifMissing);
    const isInTheWay = found !== undefined && !found.isDirectory();
    if (isInTheWay && (path === OWN_FOLDER || path.startsWith(`${OWN_FOLDER}/`)))
      throw new Failure(EXIT.failed, "in_the_way", `${this.at(path)} is not a folder. Move it away.`);
    if (isInTheWay) await this.moveAside(path);
    if (!found?.isDirectory()) await mkdir(this.at(path));
    this.known.add(path);
  }

  /** Moves a file, a link or a folder to where the user finds it again. */
  async moveAside(path: string): Promise<void> {
    const to = `${this.putAside}/${path}`;
    await this.folder(above(to));
    await rename(this.at(path), this.at(to));
    for (const folder of this.known) if (folder === path || folder.startsWith(`${path}/`)) this.known.delete(folder);
    this.aside.push(path);
  }

  /** Removes a folder if nothing is left in it. */
  async removeEmpty(path: string): Promise<void> {
    await rmdir(this.at(path)).catch(() => {});
    this.known.delete(path);
  }

  async remove(path: string): Promise<void> {
    await rm(this.at(path), { force: true });
  }

  /** Where what was moved aside is. */
  get placeOfAside(): string {
    return this.at(this.putAside);
  }
}

/** The path of the folder that this is in. */
export const above = (path: string): string => (path.includes("/") ? dirname(path) : "");

/** Undefined for a file that is not there. Other errors are thrown. */
export function ifMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
