import { db, type Statements } from "@/lib/platform/db/client";
import { findQuotas } from "@/lib/platform/limits/quotas";
import { entryNotFound } from "./errors";
import { atOneVersion, breadcrumbs, findFolder } from "./index/find";
import { type FolderPage, folderPage, inListingTurn, type PageOptions } from "./index/list";

interface ListOptions extends PageOptions {
  /** The root folder by default. */
  folderId?: string;
}

export interface FolderListing extends FolderPage {
  /** The id is "" if nothing was stored yet. */
  folder: { id: string; name: string };
  /** The root first, this folder last. */
  breadcrumbs: { id: string; name: string }[];
  used: FilesSummary;
  quota: FilesSummary;
}

const NOTHING: FolderPage = { entries: [], total: 0, first: 1, previous: null, next: null, isPartial: false };

/**
 * A page of a folder's entries, folders first. Its cost depends only on the rows shown, wherever in the folder it is.
 * Throws 404 `entry_not_found`, 400 `not_a_folder`, and as `inListingTurn` does.
 */
export async function listFolder(userId: string, options: ListOptions): Promise<FolderListing> {
  const { folderId, signal } = options;
  const listed = await inListingTurn(userId, signal, () =>
    atOneVersion(userId, async (document) => {
      signal?.throwIfAborted();
      const folder = await findFolder(document, folderId);
      const path = await breadcrumbs(document, folder);
      return {
        folder: path.at(-1),
        breadcrumbs: path,
        ...(await folderPage(document, folder, options)),
      };
    }),
  );
  if (!listed && folderId) throw entryNotFound();
  const empty = listed?.folder ? undefined : await emptyRoot(userId);
  const page = listed ?? { ...NOTHING, breadcrumbs: empty ? [empty] : [] };
  const { entries, fileBytes: bytes } = await findQuotas(userId);
  const folder = listed?.folder ?? empty ?? { id: "", name: "" };
  return {
    ...page,
    folder,
    used: await filesSummary(userId),
    quota: { entries, bytes },
  };
}

async function emptyRoot(userId: string): Promise<{ id: string; name: string }> {
  const { username } = await db.user.findUniqueOrThrow({ where: { id: userId }, select: { username: true } });
  return { id: "", name: username };
}

/** A user's stored files: number of files and folders, and bytes of the JSON document. */
export interface FilesSummary {
  entries: number;
  bytes: number;
}

/** How much the user has stored; zeros before the first import. */
export async function filesSummary(userId: string, statements: Statements = db): Promise<FilesSummary> {
  const version = await statements.fileVersion.findFirst({
    where: { userId },
    orderBy: { version: "desc" },
    select: { entries: true, plainLength: true },
  });
  return { entries: version?.entries ?? 0, bytes: Number(version?.plainLength ?? 0) };
}
