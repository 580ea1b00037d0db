import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect } from "vitest";
import { createFolder } from "@/lib/files/create-folder";
import { type Deleted, deleteEntries } from "@/lib/files/delete";
import { exportDocument } from "@/lib/files/export";
import { importDocument } from "@/lib/files/import";
import { listFolder } from "@/lib/files/list";
import { moveEntries } from "@/lib/files/move";
import { type OnExisting, putFile } from "@/lib/files/put-file";
import { renameEntry } from "@/lib/files/rename";
import { restoreEntries } from "@/lib/files/restore";
import { sweepFiles } from "@/lib/files/sweep";
import { addPart, beginUpload, cancelUpload, finishUpload } from "@/lib/files/upload";
import { chunks, file, idOf, root, smallDocument, textOf, values } from "./documents";
import { FileModel, isFolder, type ModelEntry, madeEntry, pathOf, shownName } from "./file-model";
import { entriesOf, expectIndexed } from "./indexed";
import { expectSwept } from "./swept";
import type { TestUser } from "./user";

const HOUR_MS = 3_600_000;
/** As many as can be asked for. */
const LISTED_AT_ONCE = 1_000;
const modes: OnExisting[] = ["refuse", "keep", "replace"];
const names = ["a", "b", "c.txt", "c (2).txt", "ä ö", "long".repeat(60)];

/** Numbers from which a step takes what it needs. */
export const step = fc.record({
  kind: fc.constantFrom("folder", "folder", "put", "put", "put", "upload", "rename", "move", "move", "delete", "restore", "sweep", "import"),
  one: fc.nat(),
  two: fc.nat(),
  three: fc.nat(),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length];
const splitNameOf = (name: string) => {
  const dot = name.lastIndexOf(".");
  return { type: dot > 0 ? name.slice(dot) : "", name: dot > 0 ? name.slice(0, dot) : name };
};
const isWithin = (location: string, path: string) => `${location}/`.startsWith(`${path}/`);

/** The store and a model of it, which go through the same steps. */
export class StoreAndModel {
  readonly model: FileModel;
  private now = Date.now();
  private readonly deleted: { undo: Deleted; entries: ModelEntry[]; top: ModelEntry[] }[] = [];

  constructor(readonly user: TestUser) {
    this.model = new FileModel(user.username);
  }

  async run(each: Step): Promise<void> {
    this.now++;
    await this[each.kind](each);
  }

  /** The folder with that number; the root, which comes into being with the first write. */
  private folderAt(n: number): ModelEntry {
    return (
      pick(this.model.folders, n) ??
      madeEntry({ id: "", type: ".folder", name: this.user.username, location: "origin/(c) users" }, [], this.user.username, this.now)
    );
  }

  private async learnRoot(): Promise<void> {
    if (this.model.root) return;
    const { folder } = await listFolder(this.user.id, { sort: "name", descending: false, limit: 1 });
    this.model.entries.set(folder.id, { ...this.folderAt(0), id: folder.id, values: this.folderAt(0).values.with(13, folder.id) });
  }

  async folder({ one, two }: Step): Promise<void> {
    const [parent, name] = [this.folderAt(one), pick(names, two) ?? ""];
    if (this.model.named(parent, name)) return this.refused(createFolder(this.user, parent.id, name, this.date), 409, "name_taken");
    const { id } = await createFolder(this.user, parent.id, name, this.date);
    await this.learnRoot();
    this.model.add(madeEntry({ id, type: ".folder", name, location: pathOf(parent) }, [], this.user.username, this.now), this.now);
  }

  async put({ one, two, three }: Step): Promise<void> {
    const [parent, name, onExisting] = [this.folderAt(one), pick(names, two) ?? "", pick(modes, three) ?? "keep"];
    const text = pick(["", "x", 'ä"\\\n😀'.repeat(three % 400), "y".repeat(270_000), "z\n".repeat(60_000)], three) ?? "";
    const bytes = three % 3 === 0 ? randomBytes(three % 5 === 0 ? 400_000 : 100) : Buffer.from(text);
    const existing = this.model.named(parent, name);
    const storing = putFile(this.user, parent.id, { name, bytes, onExisting }, this.date);
    if (existing && (onExisting === "refuse" || (onExisting === "replace" && isFolder(existing)))) return this.refused(storing, 409, "name_taken");
    const summary = await storing;
    await this.learnRoot();
    const final = onExisting === "keep" ? this.model.freeName(parent, name, false) : name;
    expect(summary).toMatchObject({ name: final, size: bytes.length });
    await this.learnFile(summary.id, parent, final, bytes);
  }

  /** Takes the data as it is stored, once that is known to stand for the bytes. */
  private async learnFile(id: string, parent: ModelEntry, name: string, bytes: Buffer): Promise<void> {
    const stored = entriesOf(JSON.parse(await this.text())).find((entry) => entry[13] === id);
    const data = String(stored?.[3]);
    expect((/^data:[^,]*;base64,/.test(data) ? Buffer.from(data.slice(data.indexOf(",") + 1), "base64") : Buffer.from(data)).equals(bytes)).toBe(true);
    const head = { id, ...splitNameOf(name), location: pathOf(parent) };
    this.model.add(madeEntry(head, data, this.user.username, this.now), this.now);
  }

  async rename({ one, two }: Step): Promise<void> {
    const entry = pick([...this.model.entries.values()], one);
    const name = pick(names, two) ?? "";
    if (!entry) return this.refused(renameEntry(this.user, idOf(7), name, this.date), 404, "entry_not_found");
    if (entry === this.model.root) return this.refused(renameEntry(this.user, entry.id, name, this.date), 400, "root_folder");
    if (shownName(entry) === name) return void (await renameEntry(this.user, entry.id, name, this.date));
    const parent = this.parentOf(entry);
    if (this.model.named(parent, name)) return this.refused(renameEntry(this.user, entry.id, name, this.date), 409, "name_taken");
    expect((await renameEntry(this.user, entry.id, name, this.date)).name).toBe(name);
    this.model.relocate(entry, entry.location, name);
    this.model.list(entry.location, this.now, []);
  }

  async move({ one, two, three }: Step): Promise<void> {
    const all = [...this.model.entries.values()].filter((entry) => entry !== this.model.root);
    const chosen = [...new Set([pick(all, one), pick(all, one * 7 + 3)].filter((entry) => entry !== undefined))];
    const [target, onExisting] = [this.folderAt(two), pick(modes, three) ?? "keep"];
    if (chosen.length === 0) return;
    const moving = moveEntries(
      this.user,
      chosen.map(({ id }) => id),
      target.id,
      onExisting,
      this.date,
    );
    const there = pathOf(target);
    const paths = chosen.filter(isFolder).map(pathOf);
    const top = chosen.filter(({ location }) => location !== there && !paths.some((path) => isWithin(location, path)));
    const taken = new Set<string>();
    const plan: { entry: ModelEntry; name: string; replaced: ModelEntry | undefined }[] = [];
    for (const entry of top) {
      if (isFolder(entry) && isWithin(there, pathOf(entry))) return this.refused(moving, 400, "into_itself");
      const [existing, name] = [this.model.named(target, shownName(entry)), shownName(entry)];
      const isFree = !existing && !taken.has(name);
      if (!isFree && onExisting !== "keep" && (onExisting === "refuse" || !existing || taken.has(name) || isFolder(existing) || isFolder(entry)))
        return this.refused(moving, 409, "name_taken");
      const final = isFree || onExisting === "replace" ? name : this.model.freeName(target, name, isFolder(entry), taken);
      taken.add(final);
      plan.push({ entry, name: final, replaced: isFree || onExisting === "keep" ? undefined : existing });
    }
    await moving;
    for (const { entry, replaced } of plan) {
      this.model.list(entry.location, this.now, [], [entry.id]);
      if (replaced) this.model.remove(replaced);
    }
    if (plan.length > 0)
      this.model.list(
        there,
        this.now,
        plan.map(({ entry }) => entry.id),
        plan.flatMap(({ replaced }) => replaced?.id ?? []),
      );
    for (const { entry, name } of plan) this.model.relocate(entry, pathOf(target), name);
  }

  async delete({ one, two }: Step): Promise<void> {
    const all = [...this.model.entries.values()];
    const chosen = [...new Set([pick(all, one), pick(all, two)].filter((entry) => entry !== undefined))];
    if (chosen.length === 0) return;
    const deleting = deleteEntries(
      this.user,
      chosen.map(({ id }) => id),
      this.date,
    );
    if (chosen.some((entry) => entry === this.model.root)) return this.refused(deleting, 400, "root_folder");
    const undo = await deleting;
    const entries: ModelEntry[] = [];
    for (const entry of chosen) this.model.list(entry.location, this.now, [], [entry.id]);
    for (const entry of chosen) entries.push(...this.model.remove(entry));
    this.deleted.push({ undo, entries: entries.map((entry) => ({ ...entry })), top: chosen });
  }

  async restore({ one }: Step): Promise<void> {
    const last = this.deleted.splice(one % Math.max(1, this.deleted.length), 1)[0];
    // Of what was deleted together, a folder and something in it, the model leaves the order open.
    if (!last || last.top.length > 1 || last.entries.some(({ id }) => this.model.entries.has(id))) return;
    await restoreEntries(this.user, last.undo, this.date);
    const [top] = last.top;
    const root = this.model.root;
    if (!top || !root) return;
    const parent = this.model.folders.find((folder) => pathOf(folder) === top.location) ?? root;
    const name = this.model.freeName(parent, shownName(top), isFolder(top));
    const back = last.entries.map((entry) => ({ ...entry }));
    for (const entry of back) this.model.entries.set(entry.id, entry);
    const first = back.find(({ id }) => id === top.id);
    if (!first) return;
    const below = back.filter(({ id }) => id !== top.id);
    const from = pathOf(first);
    Object.assign(first, { location: pathOf(parent) }, isFolder(first) ? { name } : splitNameOf(name));
    for (const entry of below) entry.location = pathOf(first) + entry.location.slice(from.length);
    this.model.list(pathOf(parent), this.now, [first.id]);
  }

  async upload({ one, two, three }: Step): Promise<void> {
    const [parent, name, onExisting] = [this.folderAt(one), pick(names, two) ?? "", pick(modes, three) ?? "keep"];
    const isText = three % 2 === 0;
    const bytes = isText ? Buffer.from('ä😀\n"'.repeat(three % 90_000)) : randomBytes(three % 900_000);
    const existing = this.model.named(parent, name);
    const begin = beginUpload(this.user, parent.id, { name, totalBytes: bytes.length, isText, onExisting }, this.date);
    if (existing && onExisting === "refuse") return this.refused(begin, 409, "name_taken");
    const { uploadId } = await begin;
    for (let offset = 0; offset < bytes.length; ) {
      const end = offset + 100_000 + ((one + offset) % 200_000);
      offset = (await addPart(this.user, uploadId, offset, bytes.subarray(offset, end))).received;
    }
    if (one % 5 === 0) return cancelUpload(this.user, uploadId);
    const finish = finishUpload(this.user, uploadId, this.date);
    if (existing && onExisting === "replace" && isFolder(existing)) {
      await this.refused(finish, 409, "name_taken");
      return cancelUpload(this.user, uploadId);
    }
    const summary = await finish;
    await this.learnRoot();
    const final = onExisting === "keep" ? this.model.freeName(parent, name, false) : name;
    expect(summary).toMatchObject({ name: final, size: bytes.length, isText });
    await this.learnFile(summary.id, parent, final, bytes);
  }

  async sweep({ one }: Step): Promise<void> {
    const isLate = one % 4 === 0;
    await sweepFiles(new Date(Date.now() + (isLate ? 7 * HOUR_MS : 0)));
    if (!isLate || this.model.entries.size === 0) return;
    await expectSwept(this.user.id);
    for (const { undo } of this.deleted.splice(0)) await this.refused(restoreEntries(this.user, undo, this.date), 410, "gone");
  }

  async import({ one, two }: Step): Promise<void> {
    const many = Array.from({ length: one % 3 === 0 ? 1_500 : 3 }, (_, n) => values(file(this.user.username, 100 + n, `${n}`.repeat(two % 500))));
    const document =
      one % 5 === 0
        ? [...values(root(this.user.username, JSON.stringify([idOf(9)]))), ...many.flat()]
        : smallDocument(this.user.username, "s".repeat(two % 600_000));
    // A list of children that fills pieces of its own: none of them is there, which an import takes as it is.
    const list = Array.from({ length: 9_000 }, (_, n) => idOf(n + 1_000));
    if (one % 2 === 0) document[3] = two % 2 === 0 ? list : JSON.stringify(list);
    if (one % 2 === 0) document[11] = list.length;
    await importDocument(this.user, chunks(JSON.stringify(document)), { now: this.date });
    this.model.replace(document);
    this.deleted.length = 0;
  }

  private parentOf({ location }: ModelEntry): ModelEntry {
    const parent = this.model.folders.find((folder) => pathOf(folder) === location);
    if (!parent) throw new Error("The model has lost a folder.");
    return parent;
  }

  private get date(): Date {
    return new Date(this.now);
  }

  private async refused(work: Promise<unknown>, status: number, code: string): Promise<void> {
    await expect(work).rejects.toMatchObject({ status, code });
  }

  async text(): Promise<string> {
    return textOf(await exportDocument(this.user.id));
  }

  /** The document is the model's, parents come first, and folders are listed as they are. */
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
      const page = await listFolder(this.user.id, { folderId: folder.id, sort: "name", descending: false, limit: LISTED_AT_ONCE, at });
      // Of what is on several pages nobody counts more than the folder's own list.
      const isOnePage = children.length <= LISTED_AT_ONCE;
      const said = Number(folder.size) > page.entries.length ? Number(folder.size) : null;
      expect(page.total).toBe(isOnePage ? children.length : said);
      listed.push(...page.entries.map(({ id }) => id));
      at = page.next;
    }
    expect(listed.toSorted()).toEqual(children.map(({ id }) => id).toSorted());
  }
}
