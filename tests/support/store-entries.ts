import { expect } from "vitest";
import { deleteEntries } from "@/lib/files/delete";
import { moveEntries } from "@/lib/files/move";
import { renameEntry } from "@/lib/files/rename";
import { restoreEntries } from "@/lib/files/restore";
import { sweepFiles } from "@/lib/files/sweep";
import { idOf } from "./documents";
import { isFolder, isWithin, type ModelEntry, pathOf, shownName, splitNameOf } from "./file-model";
import { modes, type Numbers, names, pick, type StoreAndModel } from "./store-and-model";
import { expectSwept } from "./swept";

const HOUR_MS = 3_600_000;

export async function rename(pair: StoreAndModel, { one, two }: Numbers): Promise<void> {
  const entry = pick([...pair.model.entries.values()], one);
  const name = pick(names, two) ?? "";
  if (!entry) return pair.refused(renameEntry(pair.user, idOf(7), name, pair.date), 404, "entry_not_found");
  if (entry === pair.model.root)
    return pair.refused(renameEntry(pair.user, entry.id, name, pair.date), 400, "root_folder");
  if (shownName(entry) === name) return void (await renameEntry(pair.user, entry.id, name, pair.date));
  const parent = parentOf(pair, entry);
  if (pair.model.named(parent, name))
    return pair.refused(renameEntry(pair.user, entry.id, name, pair.date), 409, "name_taken");
  expect((await renameEntry(pair.user, entry.id, name, pair.date)).name).toBe(name);
  pair.model.relocate(entry, entry.location, name);
  pair.model.list(entry.location, pair.now, []);
}

export async function move(pair: StoreAndModel, { one, two, three }: Numbers): Promise<void> {
  const all = [...pair.model.entries.values()].filter((entry) => entry !== pair.model.root);
  const chosen = [...new Set([pick(all, one), pick(all, one * 7 + 3)].filter((entry) => entry !== undefined))];
  const [target, onExisting] = [pair.folderAt(two), pick(modes, three) ?? "keep"];
  if (chosen.length === 0) return;
  const moving = moveEntries(
    pair.user,
    chosen.map(({ id }) => id),
    target.id,
    onExisting,
    pair.date,
  );
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
  if (plan.length > 0)
    pair.model.list(
      there,
      pair.now,
      plan.map(({ entry }) => entry.id),
      plan.flatMap(({ replaced }) => replaced?.id ?? []),
    );
  for (const { entry, name } of plan) pair.model.relocate(entry, pathOf(target), name);
}

export async function deleteSome(pair: StoreAndModel, { one, two }: Numbers): Promise<void> {
  const all = [...pair.model.entries.values()];
  const chosen = [...new Set([pick(all, one), pick(all, two)].filter((entry) => entry !== undefined))];
  if (chosen.length === 0) return;
  const deleting = deleteEntries(
    pair.user,
    chosen.map(({ id }) => id),
    pair.date,
  );
  if (chosen.some((entry) => entry === pair.model.root)) return pair.refused(deleting, 400, "root_folder");
  const undo = await deleting;
  const entries: ModelEntry[] = [];
  for (const entry of chosen) pair.model.list(entry.location, pair.now, [], [entry.id]);
  for (const entry of chosen) entries.push(...pair.model.remove(entry));
  pair.deleted.push({ undo, entries: entries.map((entry) => ({ ...entry })), top: chosen });
}

export async function restore(pair: StoreAndModel, { one }: Numbers): Promise<void> {
  const last = pair.deleted.splice(one % Math.max(1, pair.deleted.length), 1)[0];
  // The model does not define the order of a folder and its contents that were deleted together.
  if (!last || last.top.length > 1 || last.entries.some(({ id }) => pair.model.entries.has(id))) return;
  await restoreEntries(pair.user, last.undo, pair.date);
  const [top] = last.top;
  const root = pair.model.root;
  if (!top || !root) return;
  const parent = pair.model.folders.find((folder) => pathOf(folder) === top.location) ?? root;
  const name = pair.model.freeName(parent, shownName(top), isFolder(top));
  const back = last.entries.map((entry) => ({ ...entry }));
  for (const entry of back) pair.model.entries.set(entry.id, entry);
  const first = back.find(({ id }) => id === top.id);
  if (!first) return;
  const below = back.filter(({ id }) => id !== top.id);
  const from = pathOf(first);
  Object.assign(first, { location: pathOf(parent) }, isFolder(first) ? { name } : splitNameOf(name));
  for (const entry of below) entry.location = pathOf(first) + entry.location.slice(from.length);
  pair.model.list(pathOf(parent), pair.now, [first.id]);
}

export async function sweep(pair: StoreAndModel, { one }: Numbers): Promise<void> {
  const isLate = one % 4 === 0;
  await sweepFiles(new Date(Date.now() + (isLate ? 7 * HOUR_MS : 0)));
  if (!isLate || pair.model.entries.size === 0) return;
  await expectSwept(pair.user.id);
  for (const { undo } of pair.deleted.splice(0))
    await pair.refused(restoreEntries(pair.user, undo, pair.date), 410, "gone");
}

function parentOf(pair: StoreAndModel, { location }: ModelEntry): ModelEntry {
  const parent = pair.model.folders.find((folder) => pathOf(folder) === location);
  if (!parent) throw new Error("The model has lost a folder.");
  return parent;
}
