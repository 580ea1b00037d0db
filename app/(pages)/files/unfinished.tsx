import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useId, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/buttons";
import { Notice } from "@/components/feedback";
import { SteadyButton } from "@/components/steady-button";
import { When } from "@/components/time";
import { useToast } from "@/components/toast";
import { readableBytes } from "@/components/words";
import type { UnfinishedUpload } from "@/lib/files/upload";
import { counted } from "@/lib/platform/bounds";
import { DAY_MS } from "@/lib/platform/time";
import { pickedIn, useFilePicker } from "./picked-files";
import { RefusedByServer, requestServer } from "./request-server";
import { isUploadOf } from "./upload-job";
import type { Unsent, UploadQueue } from "./upload-queue";
import styles from "./uploads.module.css";

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

interface ResumeSectionProps {
  title: ReactNode;
  text: ReactNode;
  buttons: ReactNode;
  children?: ReactNode;
}

/** What was interrupted, and how it goes on. */
function ResumeSection({ title, text, buttons, children }: ResumeSectionProps) {
  const id = useId();
  return (
    <section className={styles.unfinished} aria-labelledby={id}>
      <div className={styles.head}>
        <div>
          <h2 id={id}>{title}</h2>
          <p className={styles.soft}>{text}</p>
        </div>
        <div className={styles.buttons}>{buttons}</div>
      </div>
      {children}
    </section>
  );
}

/** Says that an upload ended with its window, and uploads the same files again: those that are there are skipped. */
export function Interrupted({ username, queue }: { username: string; queue: UploadQueue }) {
  const [unsent, setUnsent] = useState<Unsent | null>(null);
  const isUploading = useSyncExternalStore(queue.subscribe, queue.read, queue.read).list.length > 0;
  const picker = useFilePicker({
    label: "Files to upload again",
    multiple: true,
    isFolder: Boolean(unsent?.folder),
    onPick: (files) => unsent && queue.add(pickedIn(files), unsent.target),
  });

  useEffect(() => setUnsent(readUnsent(username)), [username]);
  useEffect(() => {
    if (!isUploading) return;
    forgetUnsent();
    setUnsent(null);
  }, [isUploading]);

  function dismiss() {
    forgetUnsent();
    setUnsent(null);
  }

  if (!unsent) return null;
  const { folder, stored, all } = unsent;
  return (
    <ResumeSection
      title={
        folder ? (
          <span>
            The upload of <bdi translate="no">{folder}</bdi> was interrupted
          </span>
        ) : (
          <span>An upload was interrupted</span>
        )
      }
      text={
        <>
          <span>{`${stored.toLocaleString("en")} of ${counted(all, "file", "files")} arrived. `}</span>
          <span>{`Upload the same ${folder ? "folder" : "files"} again: files that haven't changed are skipped.`}</span>
        </>
      }
      buttons={
        <>
          <Button size="sm" onClick={picker.open}>
            {folder ? "Select folder" : "Select files"}
          </Button>
          <Button size="sm" variant="default" onClick={dismiss}>
            Dismiss
          </Button>
        </>
      }
    >
      {picker.field}
    </ResumeSection>
  );
}

/** More rows would hide the files below. */
const MAX_SHOWN = 5;

/** The uploads that were interrupted, to continue with the same files or to discard. */
export function Unfinished({ uploads, queue }: { uploads: UnfinishedUpload[]; queue: UploadQueue }) {
  const router = useRouter();
  const toast = useToast();
  const [continued, setContinued] = useState<string[]>([]);
  /** The id of the one that is being discarded. */
  const [discarding, setDiscarding] = useState<string | null>(null);
  const [error, setError] = useState("");
  const shown = uploads.filter((upload) => !continued.includes(upload.id) && !queue.isSending(upload));
  const picker = useFilePicker({ label: "Files to continue uploading", multiple: true, onPick: goOn });

  function goOn(files: FileList) {
    const others: string[] = [];
    for (const file of files) {
      const upload = shown.find((each) => isUploadOf(each, file));
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
  return (
    <ResumeSection
      title={counted(shown.length, "unfinished upload", "unfinished uploads")}
      text="Select the same file again to continue its upload where it stopped."
      buttons={
        <Button size="sm" variant="default" onClick={picker.open}>
          Select files
        </Button>
      }
    >
      {picker.field}
      <Notice kind="error">{error}</Notice>
      <ul>
        {shown.slice(0, MAX_SHOWN).map((upload) => (
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
              onClick={() => discard(upload)}
            >
              Discard
            </SteadyButton>
          </li>
        ))}
      </ul>
      {shown.length > MAX_SHOWN && <p className={styles.soft}>{`and ${shown.length - MAX_SHOWN} more`}</p>}
    </ResumeSection>
  );
}

function unmatched(names: string[]): string {
  if (names.length > 1) return `${names.length} of these files match no unfinished upload. Upload them as new files.`;
  return `No unfinished upload matches ${names[0]}. If the file has changed since, upload it as a new one.`;
}
