import { useRouter } from "next/navigation";
import { useState } from "react";
import { UnfinishedList } from "@/components/files/unfinished-list";
import { useToast } from "@/components/toast";
import type { UnfinishedUpload } from "@/lib/files/upload";
import { askServer, RefusedByServer } from "./ask-server";
import type { UploadQueue } from "./upload-queue";

/** The uploads that were interrupted, to continue with the same files or to discard. */
export function Unfinished({ uploads, queue }: { uploads: UnfinishedUpload[]; queue: UploadQueue }) {
  const router = useRouter();
  const toast = useToast();
  const [continued, setContinued] = useState<string[]>([]);
  const [discarding, setDiscarding] = useState<string | null>(null);
  const [error, setError] = useState("");
  const shown = uploads.filter((upload) => !continued.includes(upload.id) && !queue.isSending(upload));

  function goOn(files: File[]) {
    const others: string[] = [];
    for (const file of files) {
      const upload = shown.find((each) => isOf(each, file));
      if (!upload) others.push(file.name);
      else {
        queue.add({ files: [{ file, folders: [] }], emptyFolders: [], unreadable: [] }, upload.folderId);
        setContinued((before) => [...before, upload.id]);
      }
    }
    setError(others.length > 0 ? unmatched(others) : "");
  }

  async function discard({ id, name }: UnfinishedUpload) {
    setDiscarding(id);
    setError("");
    try {
      await askServer("DELETE", `/files/uploads/${id}`);
      toast({ text: `The unfinished upload of ${name} has been discarded.` });
      router.refresh();
    } catch (thrown) {
      setError(thrown instanceof RefusedByServer ? thrown.message : String(thrown));
    }
    setDiscarding(null);
  }

  if (shown.length === 0) return null;
  return <UnfinishedList uploads={shown} discarding={discarding} error={error} onGoOn={goOn} onDiscard={discard} />;
}

function unmatched(names: string[]): string {
  if (names.length > 1) return `${names.length} of these files match no unfinished upload. Upload them as new files.`;
  return `No unfinished upload matches ${names[0]}. If the file has changed since, upload it as a new one.`;
}

const isOf = ({ name, totalBytes, modified }: UnfinishedUpload, file: File) =>
  file.name === name && file.size === totalBytes && file.lastModified === modified;
