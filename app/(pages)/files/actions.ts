"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { ApiError } from "@/lib/errors";
import { createFolder } from "@/lib/files/create-folder";
import { deleteEntries } from "@/lib/files/delete";
import type { EntrySummary } from "@/lib/files/entry-summary";
import { listFolder } from "@/lib/files/list";
import { moveEntries } from "@/lib/files/move";
import { renameEntry } from "@/lib/files/rename";
import { restoreEntries } from "@/lib/files/restore";
import { clientGone } from "@/lib/request-user";
import { actor, type Outcome, outcome } from "../outcome";
import { read } from "./read-sent";

// What an action is called with comes from outside, whatever its types say.
const text = z.string().max(1_000);
// More than a change takes, so that the refusal is that one's.
const ids = z.array(z.string().max(32)).min(1).max(1_500);
const deletion = z.object({ version: z.number().int(), ids });

export type Deletion = z.infer<typeof deletion>;

/** Makes a folder, and answers it. */
export async function newFolder(parentId: string, name: string): Promise<Outcome<EntrySummary>> {
  return changing(async () => createFolder(await actor(), read(text, parentId), read(text, name)), "name");
}

/** Gives a file or folder another name. */
export async function rename(id: string, name: string): Promise<Outcome<unknown>> {
  return changing(async () => renameEntry(await actor(), read(text, id), read(text, name)), "name");
}

/** Moves files and folders into another folder; or answers the `conflict`, where that has something of the same name and it was not said what to do then. */
export async function move(entries: string[], folderId: string, onExisting: "refuse" | "keep" | "replace"): Promise<Outcome<{ conflict?: string }>> {
  return changing(async () => {
    const [user, moved] = [await actor(), read(ids, entries)];
    try {
      await moveEntries(user, moved, read(text, folderId), read(z.enum(["refuse", "keep", "replace"]), onExisting));
      return {};
    } catch (error) {
      if (onExisting === "refuse" && error instanceof ApiError && error.code === "name_taken") return { conflict: error.message };
      throw error;
    }
  });
}

/** Deletes files, and folders with all that is in them. Answers what `restore` needs. */
export async function remove(entries: string[]): Promise<Outcome<Deletion>> {
  return changing(async () => deleteEntries(await actor(), read(ids, entries)));
}

/** Takes a deletion back. */
export async function restore(deleted: Deletion): Promise<Outcome<void>> {
  return changing(async () => {
    await restoreEntries(await actor(), read(deletion, deleted));
  });
}

/** The folders in a folder, to choose one: the first thousand. */
export async function foldersIn(folderId: string): Promise<Outcome<{ folders: { id: string; name: string }[]; isCut: boolean }>> {
  return outcome(async () => {
    const asked = { folderId: read(text, folderId), foldersOnly: true, sort: "name", descending: false, limit: 1_000, signal: clientGone() } as const;
    const { entries, next } = await listFolder((await actor()).id, asked);
    return { folders: entries.map(({ id, name }) => ({ id, name })), isCut: next !== null };
  });
}

/** Does what changes the files, and brings the page up to date. */
async function changing<T>(work: () => Promise<T>, onlyField?: string): Promise<Outcome<T>> {
  const done = await outcome(work, onlyField);
  if (!("error" in done)) refresh();
  return done;
}
