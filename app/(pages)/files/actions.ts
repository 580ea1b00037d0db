"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { createFolder } from "@/lib/files/create";
import { deleteEntries, hasFolder } from "@/lib/files/delete";
import type { NameTaken } from "@/lib/files/errors";
import { listFolder } from "@/lib/files/list";
import { moveBack, moveEntries, renameEntry } from "@/lib/files/move";
import { listDeletions, type PastDeletion, restoreDeletion, restoreEntries } from "@/lib/files/restore";
import type { EntrySummary } from "@/lib/files/schema";
import { MAX_ID } from "@/lib/files/schema";
import { MAX_IN_TREE } from "@/lib/platform/bounds";
import { ApiError } from "@/lib/platform/errors";
import { clientSignal } from "@/lib/platform/request";
import { actor, actorHere, type Outcome, outcome, provenActor, requireProofToReplace } from "../outcome";
import { read } from "../read";

const text = z.string().max(1_000);
// More than a change accepts, so that its own refusal applies.
const ids = z.array(z.string().max(MAX_ID)).min(1).max(1_500);
// As large as the column it is compared with.
const version = z.number().int().min(0).max(2_147_483_647);
const deletion = z.object({ version, ids });
const movement = z.object({
  version,
  ids,
  from: text,
  replaced: z.array(z.string().max(MAX_ID)).max(1_500),
  renamed: z.array(z.object({ id: z.string().max(MAX_ID), name: text })).max(1_500),
});

export type Deletion = z.infer<typeof deletion>;
/** Why a move waits for an answer, and what has the name. */
export type MoveConflict = NameTaken & { sentence: string };

export type Movement = z.infer<typeof movement>;

/** Creates a folder, and returns it. */
export async function newFolder(parentId: string, name: string): Promise<Outcome<EntrySummary>> {
  return changing(async () => createFolder(await actor(), read(text, parentId), { name: read(text, name) }), "name");
}

/** Gives a file or folder another name. */
export async function rename(id: string, name: string): Promise<Outcome<unknown>> {
  return changing(async () => renameEntry(await actor(), read(text, id), { name: read(text, name) }), "name");
}

/**
 * Moves files and folders into another folder, and returns what `undoMove` needs beside the folder they were in; or
 * returns the `conflict` if the other folder has something of the same name and the caller did not choose what to do.
 */
export async function move(
  entries: string[],
  folderId: string,
  onExisting: "refuse" | "keep" | "replace",
): Promise<Outcome<{ moved: Omit<Movement, "from"> } | { conflict: MoveConflict }>> {
  return changing(async () => {
    const [moved, existing] = [read(ids, entries), read(z.enum(["refuse", "keep", "replace"]), onExisting)];
    const user = await actor();
    await requireProofToReplace(user, existing);
    try {
      return {
        moved: { ids: moved, ...(await moveEntries(user, moved, { to: read(text, folderId), onExisting: existing })) },
      };
    } catch (error) {
      if (onExisting === "refuse" && error instanceof ApiError && error.code === "name_taken")
        return { conflict: { sentence: error.message, ...(error.details as NameTaken) } };
      throw error;
    }
  });
}

/** Undoes a move. */
export async function undoMove(moved: Movement): Promise<Outcome<void>> {
  return changing(async () => moveBack(await actor(), read(movement, moved)));
}

/** Deletes files, and folders with all their contents. Returns what `restore` needs. */
export async function remove(entries: string[]): Promise<Outcome<Deletion>> {
  return changing(async () => {
    const deleted = read(ids, entries);
    const isMuch = deleted.length > 1 || (await hasFolder(await actor(), deleted));
    return deleteEntries(await (isMuch ? provenActor : actorHere)(), deleted);
  });
}

/** Undoes a deletion. */
export async function restore(deleted: Deletion): Promise<Outcome<void>> {
  return changing(async () => {
    await restoreEntries(await actor(), read(deletion, deleted));
  });
}

/** What was deleted lately and can be restored. */
export async function recentlyDeleted(): Promise<Outcome<PastDeletion[]>> {
  return outcome(async () => listDeletions(await actor(), new Date(), clientSignal()));
}

/** Restores one of these deletions. */
export async function restoreDeleted(before: number): Promise<Outcome<void>> {
  return changing(async () => restoreDeletion(await actor(), read(version, before)));
}

/** The folders in a folder, to select one: the first thousand. */
export async function foldersIn(
  folderId: string,
): Promise<Outcome<{ folders: { id: string; name: string }[]; isCut: boolean }>> {
  return outcome(async () => {
    const options = {
      folderId: read(text, folderId),
      foldersOnly: true,
      sort: "name",
      descending: false,
      limit: MAX_IN_TREE,
      signal: clientSignal(),
    } as const;
    const { entries, next } = await listFolder((await actor()).id, options);
    return { folders: entries.map(({ id, name }) => ({ id, name })), isCut: next !== null };
  });
}

/** Runs a change to the files, and refreshes the page. */
async function changing<T>(work: () => Promise<T>, onlyField?: string): Promise<Outcome<T>> {
  const done = await outcome(work, onlyField);
  if (!("error" in done)) refresh();
  return done;
}
