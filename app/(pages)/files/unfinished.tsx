import { useRouter } from "next/navigation";
import { type ChangeEvent, useEffect, useId, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/buttons";
import { Notice } from "@/components/feedback";
import { SteadyButton } from "@/components/steady-button";
import { When } from "@/components/time";
import { useToast } from "@/components/toast";
import { readableBytes } from "@/components/words";
import type { UnfinishedUpload } from "@/lib/files/upload";
import { counted } from "@/lib/platform/bounds";
import { DAY_MS } from "@/lib/platform/time";
import { RefusedByServer, requestServer } from "./request-server";
import styles from "./unfinished.module.css";
import { pickedIn } from "./upload-job";
import type { Unsent, UploadQueue } from "./upload-queue";

/** The key of localStorage: in this browser alone are the files that are left. */
const UNSENT = "latchkey-unsent";
/** As long as the service keeps what it has of a large file. */
const RETAINED_MS = DAY_MS;

/** Whether this window keeps something: what another one kept is not forgotten for its sake. */
let hasUnsent = false;

/** Keeps what is left of an upload for the user's next visit; if nothing is, forgets what this window kept. */
export function keepUnsent(username: string, unsent: Unsent | null): void {
  if (unsent) localStorage.setItem(UNSENT, JSON.stringify({ ...unsent, username, at: Date.now() }));
  else if (hasUnsent) forgetUnsent();
  hasUnsent = unsent !== null;
}

/** Forgets it. */
export const forgetUnsent = () => localStorage.removeItem(UNSENT);

function readUnsent(username: string): Unsent | null {
  const stored = JSON.parse(localStorage.getItem(UNSENT) ?? "null");
  return stored?.username === username && Date.now() - stored.at < RETAINED_MS ? stored : null;
}

/** Says that an upload ended with its window, and uploads the same files again: those that are there are skipped. */
export function Interrupted({ username, queue }: { username: string; queue: UploadQueue }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [unsent, setUnsent] = useState<Unsent | null>(null);
  const isUploading = useSyncExternalStore(queue.subscribe, queue.read, queue.read).list.length > 0;

  useEffect(() => setUnsent(readUnsent(username)), [username]);
  useEffect(() => {
    if (!isUploading) return;
    forgetUnsent();
    setUnsent(null);
  }, [isUploading]);
  useEffect(() => {
    if (input.current) input.current.webkitdirectory = Boolean(unsent?.folder);
  }, [unsent]);

  function dismiss() {
    forgetUnsent();
    setUnsent(null);
  }

  if (!unsent) return null;
  const { folder, target, stored, all } = unsent;
  const what = folder ? "folder" : "files";
  return (
    <section className={styles.unfinished} aria-labelledby={id}>
      <div className={styles.head}>
        <div>
          <h2 id={id}>
            {folder ? (
              <span>
                The upload of <bdi translate="no">{folder}</bdi> was interrupted
              </span>
            ) : (
              <span>An upload was interrupted</span>
            )}
          </h2>
          <p className={styles.soft}>
            <span>{`${stored.toLocaleString("en")} of ${counted(all, "file", "files")} arrived. `}</span>
            <span>{`Upload the same ${what} again: files that haven't changed are skipped.`}</span>
          </p>
        </div>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          aria-label="Files to upload again"
          onChange={({ currentTarget: { files } }) => files && queue.add(pickedIn(files), target)}
        />
        <div className={styles.buttons}>
          <Button size="sm" onClick={() => input.current?.click()}>
            {folder ? "Select folder" : "Select files"}
          </Button>
          <Button size="sm" variant="default" onClick={dismiss}>
            Dismiss
          </Button>
        </div>
      </div>
    </section>
  );
}

interface UnfinishedListProps {
  uploads: UnfinishedUpload[];
  /** The id of the one that is being discarded. */
  discarding: string | null;
  error: string;
  onGoOn: (files: File[]) => void;
  onDiscard: (upload: UnfinishedUpload) => void;
}

/** More rows would hide the files below. */
const MAX_SHOWN = 5;

/** Interrupted uploads, and how to continue them. */
function UnfinishedList({ uploads, discarding, error, onGoOn, onDiscard }: UnfinishedListProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);

  function pick({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    onGoOn([...(currentTarget.files ?? [])]);
    // So that the same file can be selected again.
    currentTarget.value = "";
  }

  return (
    <section className={styles.unfinished} aria-labelledby={id}>
      <div className={styles.head}>
        <div>
          <h2 id={id}>{uploads.length === 1 ? "1 unfinished upload" : `${uploads.length} unfinished uploads`}</h2>
          <p className={styles.soft}>Select the same file again to continue its upload where it stopped.</p>
        </div>
        <input ref={input} type="file" multiple hidden aria-label="Files to continue uploading" onChange={pick} />
        <Button size="sm" variant="default" onClick={() => input.current?.click()}>
          Select files
        </Button>
      </div>
      <Notice kind="error">{error}</Notice>
      <ul>
        {uploads.slice(0, MAX_SHOWN).map((upload) => (
          <li key={upload.id}>
            <span>
              <bdi translate="no" className={styles.name}>
                {upload.name}
              </bdi>
              <span className={styles.soft}>
                <span>{readableBytes(upload.received)}</span> of <span>{readableBytes(upload.totalBytes)}</span>{" "}
                uploaded
                <span>{upload.folder === null ? ", for a folder that was deleted" : `, for ${upload.folder}`}</span>,
                kept until <When at={new Date(upload.until)} precise />
              </span>
            </span>
            <SteadyButton
              size="sm"
              variant="default"
              aria-label={`Discard the upload of ${upload.name}`}
              loading={discarding === upload.id}
              disabled={discarding !== null && discarding !== upload.id}
              onClick={() => onDiscard(upload)}
            >
              Discard
            </SteadyButton>
          </li>
        ))}
      </ul>
      {uploads.length > MAX_SHOWN && <p className={styles.soft}>{`and ${uploads.length - MAX_SHOWN} more`}</p>}
    </section>
  );
}

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
        queue.add({ files: [{ file, folders: [] }], unreadable: [] }, upload.folderId);
        setContinued((before) => [...before, upload.id]);
      }
    }
    setError(others.length > 0 ? unmatched(others) : "");
  }

  async function discard({ id, name }: UnfinishedUpload) {
    setDiscarding(id);
    setError("");
    try {
      await requestServer("DELETE", `/files/uploads/${id}`);
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
