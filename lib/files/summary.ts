import { db, type Statements } from "@/lib/db/client";

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
