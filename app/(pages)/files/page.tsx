import type { Metadata } from "next";
import { LinkButton } from "@/components/buttons";
import { Actions, MessagePage } from "@/components/page";
import { currentUser, type SignedIn } from "@/lib/accounts/session/current-user";
import { listFolder } from "@/lib/files/list";
import { searchFiles } from "@/lib/files/search";
import { unfinishedUploads } from "@/lib/files/upload";
import { ApiError } from "@/lib/platform/errors";
import { clientSignal } from "@/lib/platform/request";
import type { SearchParams } from "../next-path";
import { isElsewhere, signInFirst } from "../visitor";
import { FileManager } from "./file-manager";
import { ENTRIES_A_PAGE, hrefOf, readView, type View } from "./view";

export const metadata: Metadata = { title: "Files" };

/** One folder of the user's files. */
export default async function FilesPage({ searchParams }: { searchParams: SearchParams }) {
  const [user, query] = await Promise.all([currentUser(), searchParams]);
  if (!user) signInFirst("/files", query);
  const view = readView(query);
  const signal = clientSignal();
  const shown = await load(user, view, signal).catch((error) => {
    if (error instanceof ApiError && [404, 429].includes(error.status)) return error;
    if (signal?.aborted) return null;
    throw error;
  });
  // The client has disconnected.
  if (!shown) return null;
  if (shown instanceof ApiError && shown.status === 429)
    return (
      <MessagePage title="One moment" text={shown.message}>
        <Actions>
          <LinkButton href={hrefOf(view)}>Try again</LinkButton>
        </Actions>
      </MessagePage>
    );
  if (!(shown instanceof ApiError)) return <FileManager {...shown} view={view} username={user.username} />;
  return (
    <MessagePage title="Folder not found" text="It may have been deleted, or the address may be incomplete.">
      <Actions>
        <LinkButton href="/files">All files</LinkButton>
      </Actions>
    </MessagePage>
  );
}

/**
 * The folder's page, and all unfinished uploads; with a search in all folders, also its matches, and nothing of the
 * folder.
 */
async function load(user: SignedIn, view: View, signal: AbortSignal | undefined) {
  const isSearch = view.everywhere && view.filter !== "";
  const results = isSearch ? await searchFiles(user.id, view.filter, signal) : null;
  const options = {
    ...view,
    ...(isSearch && { filter: "", at: "" }),
    folderId: view.folder,
    showing: view.show,
    signal,
  };
  const listing = await listFolder(user.id, { ...options, limit: isSearch ? 1 : ENTRIES_A_PAGE });
  return { results, listing, unfinished: await unfinishedUploads(user), isElsewhere: await isElsewhere(user) };
}
