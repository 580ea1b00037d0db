"use server";

import { z } from "zod";
import { createFolder } from "@/lib/files/create";
import { deleteEntries, hasFolder } from "@/lib/files/delete";
import type { NameTaken } from "@/lib/files/errors";
import { listFolder } from "@/lib/files/list";
import { moveBack, moveEntries, renameEntry } from "@/lib/files/move";
import { listDeletions, restoreDeletion, restoreEntries } from "@/lib/files/restore";
import { MAX_ID, onExisting } from "@/lib/files/schema";
import { MAX_IN_TREE } from "@/lib/platform/bounds";
import { ApiError } from "@/lib/platform/errors";
import { clientSignal } from "@/lib/platform/request";
import { action } from "../action";

const text = z.string().max(1_000);
// More than a change accepts, so that its own refusal applies.
const ids = z.array(z.string().max(MAX_ID)).min(1).max(1_500);
// As large as the column it is compared with.
const version = z.number().int().min(0).max(2_147_483_647);
const movement = z.object({
  version,
  ids,
  from: text,
  replaced: z.array(z.string().max(MAX_ID)).max(1_500),
  renamed: z.array(z.object({ id: z.string().max(MAX_ID), name: text })).max(1_500),
});

/** Why a move waits for an answer, and what has the name. */
type MoveConflict = NameTaken & { sentence: string };

/** Creates a folder, and returns it. */
export const newFolder = action({
  input: z.object({ parentId: text, name: text }),
  field: "name",
  refreshes: true,
  run: ({ parentId, name }, user) => createFolder(user, parentId, { name }),
});

/** Gives a file or folder another name. */
export const rename = action({
  input: z.object({ id: text, name: text }),
  field: "name",
  refreshes: true,
  run: ({ id, name }, user) => renameEntry(user, id, { name }),
});

/**
 * Moves files and folders into another folder, and returns what `undoMove` needs beside the folder they were in; or
 * returns the `conflict` if the other folder has something of the same name and the caller did not choose what to do.
 */
export const move = action({
  input: z.object({ entries: ids, folderId: text, onExisting }),
  proof: ({ onExisting }) => (onExisting === "replace" ? "elsewhere" : "none"),
  refreshes: true,
  async run(
    { entries, folderId, onExisting },
    user,
  ): Promise<{ moved: Omit<z.infer<typeof movement>, "from"> } | { conflict: MoveConflict }> {
    try {
      return { moved: { ids: entries, ...(await moveEntries(user, entries, { to: folderId, onExisting })) } };
    } catch (error) {
      if (onExisting === "refuse" && error instanceof ApiError && error.code === "name_taken")
        return { conflict: { sentence: error.message, ...(error.details as NameTaken) } };
      throw error;
    }
  },
});

/** Undoes a move. */
export const undoMove = action({
  input: movement,
  // A hundred names of files, of up to 255 characters each.
  maxBytes: 400 * 1_024,
  refreshes: true,
  run: (moved, user) => moveBack(user, moved),
});

/** Deletes files, and folders with all their contents. Returns what `restore` needs. */
export const remove = action({
  input: ids,
  proof: async (deleted, user) => (deleted.length > 1 || (await hasFolder(user, deleted)) ? "recent" : "elsewhere"),
  refreshes: true,
  run: (deleted, user) => deleteEntries(user, deleted),
});

/** Undoes a deletion. */
export const restore = action({
  input: z.object({ version, ids }),
  refreshes: true,
  run: (deleted, user) => restoreEntries(user, deleted),
});

/** What was deleted lately and can be restored. */
export const recentlyDeleted = action({ run: (_, user) => listDeletions(user, new Date(), clientSignal()) });

/** Restores one of these deletions. */
export const restoreDeleted = action({
  input: version,
  refreshes: true,
  run: (before, user) => restoreDeletion(user, before),
});

/** The folders in a folder, to select one: the first thousand. */
export const foldersIn = action({
  input: text,
  async run(folderId, user) {
    const options = {
      folderId,
      foldersOnly: true,
      sort: "name",
      descending: false,
      limit: MAX_IN_TREE,
      signal: clientSignal(),
    } as const;
    const { entries, next } = await listFolder(user.id, options);
    return { folders: entries.map(({ id, name }) => ({ id, name })), isCut: next !== null };
  },
});
