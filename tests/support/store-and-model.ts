import { expect } from "vitest";
import type { Deleted } from "@/lib/files/delete";
import { exportDocument } from "@/lib/files/export";
import { listFolder } from "@/lib/files/list";
import type { OnExisting } from "@/lib/files/on-existing";
import { textOf } from "./documents";
import { FileModel, type ModelEntry, madeEntry, pathOf } from "./file-model";
import { entriesOf, expectIndexed } from "./indexed";
import type { TestUser } from "./user";

/** The maximum per listing. */
const LISTED_AT_ONCE = 1_000;

/** Random numbers for a step. */
export interface Numbers {
  one: number;
  two: number;
  three: number;
}

export const modes: OnExisting[] = ["refuse", "keep", "replace"];
export const names = ["a", "b", "c.txt", "c (2).txt", "ä ö", "long".repeat(60)];
export const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length];

/** The store and a model of it, which `store-steps.ts` takes through the same steps. */
export class StoreAndModel {
  readonly model: FileModel;
  now = Date.now();
  readonly deleted: { undo: Deleted; entries: ModelEntry[]; top: ModelEntry[] }[] = [];

  constructor(readonly user: TestUser) {
    this.model = new FileModel(user.username);
  }

  /** The folder with that number; the root, which the first write creates. */
  folderAt(n: number): ModelEntry {
    return (
      pick(this.model.folders, n) ??
      madeEntry(
        { id: "", type: ".folder", name: this.user.username, location: "origin/(c) users" },
        [],
        this.user.username,
        this.now,
      )
    );
  }

  get date(): Date {
    return new Date(this.now);
  }

  async refused(work: Promise<unknown>, status: number, code: string): Promise<void> {
    await expect(work).rejects.toMatchObject({ status, code });
  }

  async text(): Promise<string> {
    return textOf(await exportDocument(this.user.id));
  }

  /** Checks that the document equals the model, parents come first, and listings match. */
  async compare(): Promise<void> {
    if (this.model.entries.size === 0) return;
    const entries = entriesOf(JSON.parse(await this.text()));
    expect(Object.fromEntries(entries.map((entry) => [entry[13], entry]))).toEqual(this.model.document());
    const seen = new Set(["origin/(c) users"]);
    for (const [type, name, location] of entries) {
      expect(seen.has(String(location))).toBe(true);
      if (type === ".folder") seen.add(`${location}/${name}`);
    }
    await expectIndexed(this.user.id);
    const folder = pick(this.model.folders, this.now);
    if (!folder) return;
    const children = [...this.model.entries.values()].filter(({ location }) => location === pathOf(folder));
    const listed: string[] = [];
    for (let at: string | null = ""; at !== null; ) {
      const page = await listFolder(this.user.id, {
        folderId: folder.id,
        sort: "name",
        descending: false,
        limit: LISTED_AT_ONCE,
        at,
      });
      // With several pages, only the folder's own list gives the count.
      const isOnePage = children.length <= LISTED_AT_ONCE;
      const said = Number(folder.size) > page.entries.length ? Number(folder.size) : null;
      expect(page.total).toBe(isOnePage ? children.length : said);
      listed.push(...page.entries.map(({ id }) => id));
      at = page.next;
    }
    expect(listed.toSorted()).toEqual(children.map(({ id }) => id).toSorted());
  }
}
