import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { expect } from "vitest";
import { createFolder, putFile } from "@/lib/files/create";
import { type Deleted, deleteEntries } from "@/lib/files/delete";
import { splitName } from "@/lib/files/document/entry";
import { importDocument } from "@/lib/files/import";
import { listFolder } from "@/lib/files/list";
import { moveEntries, renameEntry } from "@/lib/files/move";
import { exportDocument, gzipText, openDocument } from "@/lib/files/read";
import { restoreEntries } from "@/lib/files/restore";
import type { EntrySummary, OnExisting } from "@/lib/files/schema";
import { sweepFiles } from "@/lib/files/sweep";
import { addPart, beginUpload, cancelUpload, finishUpload } from "@/lib/files/upload";
import { bytesOf, chunks, file, idOf, root, smallDocument, textOf, values } from "@/tests/support/documents";
import { contentBytes, entriesOf, expectIndexed, expectSwept } from "@/tests/support/indexed";
import type { TestUser } from "@/tests/support/user";
import { FileModel, isFolder, isWithin, type ModelEntry, madeEntry, pathOf, shownName, USERS } from "./file-model";

const LISTED_AT_ONCE = 1_000;

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % list.length];

/** The store and a model of it. */
export class StoreAndModel {
  readonly model: FileModel;
  now = Date.now();
  readonly deleted: { undo: Deleted; entries: ModelEntry[]; top: ModelEntry[] }[] = [];

  constructor(readonly user: TestUser) {
    this.model = new FileModel(user.username);
  }

  /** The folder with that number; the root, which the first write creates. */
  folderAt(n: number): ModelEntry {
    const { username } = this.user;
    const root = { id: "", type: ".folder", name: username, location: USERS };
    return pick(this.model.folders, n) ?? madeEntry(root, [], username, this.now);
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

  async compare(): Promise<void> {
    if (this.model.entries.size === 0) return;
    const text = await this.text();
    const entries = entriesOf(JSON.parse(text));
    expect(Object.fromEntries(entries.map((entry) => [entry[13], entry]))).toEqual(this.model.document());
    const seen = new Set([USERS]);
    for (const [type, name, location] of entries) {
      expect(seen.has(String(location))).toBe(true);
      if (type === ".folder") seen.add(`${location}/${name}`);
    }
    // zlib refuses a wrong checksum or length.
    const zipped = await bytesOf(gzipText(await openDocument(this.user.id)));
    expect(gunzipSync(zipped).toString() === text).toBe(true);
    await expectIndexed(this.user.id);
    const folder = pick(this.model.folders, this.now);
    if (!folder) return;
    const children = [...this.model.entries.values()].filter(({ location }) => location === pathOf(folder));
    const listed: string[] = [];
    const ask = { folderId: folder.id, sort: "name", descending: false, limit: LISTED_AT_ONCE } as const;
    for (let at: string | null = ""; at !== null; ) {
      const page = await listFolder(this.user.id, { ...ask, at });
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

interface Numbers {
  one: number;
  two: number;
  three: number;
}

const HOUR_MS = 3_600_000;
const modes: OnExisting[] = ["refuse", "keep", "replace"];
const names = ["a", "b", "c.txt", "c (2).txt", "ä ö", "long".repeat(60)];

async function addFolder(pair: StoreAndModel, { one, two }: Numbers): Promise<void> {
  const [parent, name] = [pair.folderAt(one), pick(names, two) ?? ""];
  const creating = createFolder(pair.user, parent.id, { name, now: pair.date });
  if (pair.model.named(parent, name)) return pair.refused(creating, 409, "name_taken");
  const { id } = await creating;
  await learnRoot(pair);
  const head = { id, type: ".folder", name, location: pathOf(parent) };
  pair.model.add(madeEntry(head, [], pair.user.username, pair.now), pair.now);
}

async function put(pair: StoreAndModel, { one, two, three }: Numbers): Promise<void> {
  const [parent, name, onExisting] = [pair.folderAt(one), pick(names, two) ?? "", pick(modes, three) ?? "keep"];
  const text = pick(["", "x", 'ä"\\\n😀'.repeat(three % 400), "y".repeat(270_000), "z\n".repeat(60_000)], three) ?? "";
  const bytes = three % 3 === 0 ? randomBytes(three % 5 === 0 ? 400_000 : 100) : Buffer.from(text);
  const existing = pair.model.named(parent, name);
  const storing = putFile(pair.user, parent.id, { name, bytes, onExisting, now: pair.date });
  if (existing && (onExisting === "refuse" || (onExisting === "replace" && isFolder(existing))))
    return pair.refused(storing, 409, "name_taken");
  await learnFile(pair, await storing, { parent, name, onExisting, bytes });
}

async function upload(pair: StoreAndModel, { one, two, three }: Numbers): Promise<void> {
  const [parent, name, onExisting] = [pair.folderAt(one), pick(names, two) ?? "", pick(modes, three) ?? "keep"];
  const isText = three % 2 === 0;
  const bytes = isText ? Buffer.from('ä😀\n"'.repeat(three % 45_000)) : randomBytes(three % 450_000);
  const existing = pair.model.named(parent, name);
  const begin = beginUpload(pair.user, parent.id, {
    name,
    totalBytes: bytes.length,
    isText,
    onExisting,
    now: pair.date,
  });
  if (existing && onExisting === "refuse") return pair.refused(begin, 409, "name_taken");
  const { uploadId } = await begin;
  for (let offset = 0; offset < bytes.length; ) {
    const end = offset + 100_000 + ((one + offset) % 200_000);
    offset = (await addPart(pair.user, uploadId, { offset, bytes: bytes.subarray(offset, end) })).received;
  }
  if (one % 5 === 0) return cancelUpload(pair.user, uploadId);
  const finish = finishUpload(pair.user, uploadId, pair.date);
  if (existing && onExisting === "replace" && isFolder(existing)) {
    await pair.refused(finish, 409, "name_taken");
    return cancelUpload(pair.user, uploadId);
  }
  const summary = await finish;
  expect(summary.isText).toBe(isText);
  await learnFile(pair, summary, { parent, name, onExisting, bytes });
}

async function replaceAll(pair: StoreAndModel, { one, two }: Numbers): Promise<void> {
  const { username } = pair.user;
  const many = Array.from({ length: one % 3 === 0 ? 1_500 : 3 }, (_, n) =>
    values(file(username, 100 + n, `${n}`.repeat(two % 500))),
  );
  const document =
    one % 5 === 0
      ? [...values(root(username, JSON.stringify([idOf(9)]))), ...many.flat()]
      : smallDocument(username, "s".repeat(two % 600_000));
  // A list of children that fills whole pieces: none of them exists, which an import accepts.
  const list = Array.from({ length: 9_000 }, (_, n) => idOf(n + 1_000));
  if (one % 2 === 0) document[3] = two % 2 === 0 ? list : JSON.stringify(list);
  if (one % 2 === 0) document[11] = list.length;
  await importDocument(pair.user, chunks(JSON.stringify(document)), { now: pair.date });
  pair.model.replace(document);
  pair.deleted.length = 0;
}

async function learnRoot(pair: StoreAndModel): Promise<void> {
  if (pair.model.root) return;
  const { folder } = await listFolder(pair.user.id, { sort: "name", descending: false, limit: 1 });
  const made = pair.folderAt(0);
  pair.model.entries.set(folder.id, { ...made, id: folder.id, values: made.values.with(13, folder.id) });
}

interface Sent {
  parent: ModelEntry;
  name: string;
  onExisting: OnExisting;
  bytes: Buffer;
}

async function learnFile(pair: StoreAndModel, summary: EntrySummary, sent: Sent): Promise<void> {
  const { parent, onExisting, bytes } = sent;
  await learnRoot(pair);
  const name = onExisting === "keep" ? pair.model.freeName(parent, sent.name, false) : sent.name;
  expect(summary).toMatchObject({ name, size: bytes.length });
  const { id } = summary;
  const data = entriesOf(JSON.parse(await pair.text())).find((entry) => entry[13] === id)?.[3];
  expect(contentBytes(data).bytes.equals(bytes)).toBe(true);
  const head = { id, ...splitName(name), location: pathOf(parent) };
  pair.model.add(madeEntry(head, data, pair.user.username, pair.now), pair.now);
}

async function rename(pair: StoreAndModel, { one, two }: Numbers): Promise<void> {
  const entry = pick([...pair.model.entries.values()], one);
  const name = pick(names, two) ?? "";
  const renaming = renameEntry(pair.user, entry?.id ?? idOf(7), { name, now: pair.date });
  if (!entry) return pair.refused(renaming, 404, "entry_not_found");
  if (entry === pair.model.root) return pair.refused(renaming, 400, "root_folder");
  if (shownName(entry) === name) return void (await renaming);
  const parent = pair.model.parentOf(entry);
  if (!parent) throw new Error("The model has lost a folder.");
  if (pair.model.named(parent, name)) return pair.refused(renaming, 409, "name_taken");
  expect((await renaming).name).toBe(name);
  pair.model.relocate(entry, entry.location, name);
  pair.model.list(entry.location, pair.now, []);
}

async function move(pair: StoreAndModel, { one, two, three }: Numbers): Promise<void> {
  const all = [...pair.model.entries.values()].filter((entry) => entry !== pair.model.root);
  const chosen = [...new Set([pick(all, one), pick(all, one * 7 + 3)].filter((entry) => entry !== undefined))];
  const [target, onExisting] = [pair.folderAt(two), pick(modes, three) ?? "keep"];
  if (chosen.length === 0) return;
  const ids = chosen.map(({ id }) => id);
  const moving = moveEntries(pair.user, ids, { to: target.id, onExisting, now: pair.date });
  const there = pathOf(target);
  const paths = chosen.filter(isFolder).map(pathOf);
  const top = chosen.filter(({ location }) => location !== there && !paths.some((path) => isWithin(location, path)));
  const taken = new Set<string>();
  const plan: { entry: ModelEntry; name: string; replaced: ModelEntry | undefined }[] = [];
  for (const entry of top) {
    if (isFolder(entry) && isWithin(there, pathOf(entry))) return pair.refused(moving, 400, "into_itself");
    const [existing, name] = [pair.model.named(target, shownName(entry)), shownName(entry)];
    const isFree = !existing && !taken.has(name);
    if (
      !isFree &&
      onExisting !== "keep" &&
      (onExisting === "refuse" || !existing || taken.has(name) || isFolder(existing) || isFolder(entry))
    )
      return pair.refused(moving, 409, "name_taken");
    const final = isFree || onExisting === "replace" ? name : pair.model.freeName(target, name, isFolder(entry), taken);
    taken.add(final);
    plan.push({ entry, name: final, replaced: isFree || onExisting === "keep" ? undefined : existing });
  }
  await moving;
  for (const { entry, replaced } of plan) {
    pair.model.list(entry.location, pair.now, [], [entry.id]);
    if (replaced) pair.model.remove(replaced);
  }
  const [added, gone] = [plan.map(({ entry }) => entry.id), plan.flatMap(({ replaced }) => replaced?.id ?? [])];
  if (plan.length > 0) pair.model.list(there, pair.now, added, gone);
  for (const { entry, name } of plan) pair.model.relocate(entry, pathOf(target), name);
}

async function deleteSome(pair: StoreAndModel, { one, two }: Numbers): Promise<void> {
  const all = [...pair.model.entries.values()];
  const chosen = [...new Set([pick(all, one), pick(all, two)].filter((entry) => entry !== undefined))];
  if (chosen.length === 0) return;
  const ids = chosen.map(({ id }) => id);
  const deleting = deleteEntries(pair.user, ids, pair.date);
  if (chosen.some((entry) => entry === pair.model.root)) return pair.refused(deleting, 400, "root_folder");
  const undo = await deleting;
  for (const entry of chosen) pair.model.list(entry.location, pair.now, [], [entry.id]);
  const entries = chosen.flatMap((entry) => pair.model.remove(entry)).map((entry) => ({ ...entry }));
  pair.deleted.push({ undo, entries, top: chosen });
}

async function restore(pair: StoreAndModel, { one }: Numbers): Promise<void> {
  const last = pair.deleted.splice(one % Math.max(1, pair.deleted.length), 1)[0];
  // The model does not define the order of a folder and its contents that were deleted together.
  if (!last || last.top.length > 1 || last.entries.some(({ id }) => pair.model.entries.has(id))) return;
  await restoreEntries(pair.user, last.undo, pair.date);
  const [top] = last.top;
  const { root } = pair.model;
  if (!top || !root) return;
  const parent = pair.model.parentOf(top) ?? root;
  const name = pair.model.freeName(parent, shownName(top), isFolder(top));
  const back = last.entries.map((entry) => ({ ...entry }));
  for (const entry of back) pair.model.entries.set(entry.id, entry);
  const first = back.find(({ id }) => id === top.id);
  if (!first) return;
  // Not `relocate`: something else may lie in its old place now.
  const from = pathOf(first);
  Object.assign(first, { location: pathOf(parent) }, isFolder(first) ? { name } : splitName(name));
  for (const entry of back) if (entry !== first) entry.location = pathOf(first) + entry.location.slice(from.length);
  pair.model.list(pathOf(parent), pair.now, [first.id]);
}

async function sweep(pair: StoreAndModel, { one }: Numbers): Promise<void> {
  const isLate = one % 4 === 0;
  await sweepFiles(new Date(Date.now() + (isLate ? 7 * HOUR_MS : 0)));
  if (!isLate || pair.model.entries.size === 0) return;
  await expectSwept(pair.user.id);
  for (const { undo } of pair.deleted.splice(0))
    await pair.refused(restoreEntries(pair.user, undo, pair.date), 410, "gone");
}

const STEPS = { folder: addFolder, put, upload, rename, move, delete: deleteSome, restore, sweep, import: replaceAll };
const usual = ["folder", "put", "put", "move"] as const;

export type Step = Numbers & { kind: keyof typeof STEPS };

/** A step that anybody may take, the usual ones more often. */
export const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...usual, ...(Object.keys(STEPS) as Step["kind"][])),
  one: fc.nat(),
  two: fc.nat(),
  three: fc.nat(),
});

export async function runStep(pair: StoreAndModel, step: Step): Promise<void> {
  pair.now++;
  await STEPS[step.kind](pair, step);
}
