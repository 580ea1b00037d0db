import { Button } from "@mantine/core";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { MessagePage } from "@/components/message-page";
import { Actions } from "@/components/panel";
import { currentUser } from "@/lib/auth/session";
import { ApiError } from "@/lib/errors";
import { listFolder } from "@/lib/files/list";
import { clientGone } from "@/lib/request-user";
import type { Query } from "../next-path";
import { FileManager } from "./file-manager";
import { ENTRIES_A_PAGE, hrefOf, readView } from "./view";

export const metadata: Metadata = { title: "Files" };

/** One folder of the user's files. */
export default async function FilesPage({ searchParams }: { searchParams: Query }) {
  const [user, query] = await Promise.all([currentUser(), searchParams]);
  const view = readView(query);
  if (!user) redirect(view.folder ? `/signin?next=/files?folder=${view.folder}` : "/signin?next=/files");
  const signal = clientGone();
  const listing = await listFolder(user.id, { ...view, folderId: view.folder, limit: ENTRIES_A_PAGE, signal }).catch((error) => {
    if (error instanceof ApiError && [404, 429].includes(error.status)) return error;
    if (signal?.aborted) return null;
    throw error;
  });
  // Nobody waits for an answer any more.
  if (!listing) return null;
  if (listing instanceof ApiError && listing.status === 429)
    return (
      <MessagePage title="One moment" text={listing.message}>
        <Actions>
          <Button component="a" href={hrefOf(view)}>
            Try again
          </Button>
        </Actions>
      </MessagePage>
    );
  if (!(listing instanceof ApiError)) return <FileManager listing={listing} view={view} username={user.username} />;
  return (
    <MessagePage title="There is no such folder" text="Perhaps it was deleted or its address was copied in part.">
      <Actions>
        <Button component="a" href="/files">
          All files
        </Button>
      </Actions>
    </MessagePage>
  );
}
