"use client";

import { useId, useRef, useState } from "react";
import { Button, IconButton } from "@/components/buttons";
import { ProgressBar } from "@/components/feedback";
import { IconCheck, IconChevronDown, IconX } from "@/components/icons";
import { SteadyButton } from "@/components/steady-button";
import { readableBytes } from "@/components/words";
import { IconChevronUp } from "./icons";
import { useFilePicker } from "./picked-files";
import { countUploads, isOpen, readableSeconds, type UploadJob, uploadsInWords } from "./upload-job";
import type { UploadQueue } from "./upload-queue";
import styles from "./uploads.module.css";

interface UploadRowProps {
  upload: UploadJob;
  onCancel: () => void;
  onReplace: (file: File) => void;
}

const WORDS = {
  waiting: "Waiting",
  conflict: "Needs your decision",
  done: "Done",
  unchanged: "Unchanged",
  skipped: "Skipped",
  cancelled: "Cancelled",
};

/** One upload in the list, with how far it is. */
function UploadRow({ upload, onCancel, onReplace }: UploadRowProps) {
  const { path, size, uploaded, isPaused, state, error, isUnreadable } = upload;
  const isFailed = state === "failed";
  return (
    <li className={styles.upload}>
      <span className={styles.path} title={path}>
        <bdi translate="no">{path}</bdi>
      </span>
      <span className={styles.soft}>
        {state === "sending" && (
          <span>{isPaused ? "No response, retrying" : `${readableBytes(uploaded)} of ${readableBytes(size)}`}</span>
        )}
        {state === "done" && <IconCheck size={16} />}
        {state !== "sending" && state !== "failed" && <span>{WORDS[state]}</span>}
      </span>
      {(isOpen(upload) || isFailed) && (
        <IconButton aria-label={isFailed ? `Remove ${path} from the list` : `Cancel ${path}`} onClick={onCancel}>
          <IconX size={16} />
        </IconButton>
      )}
      {state === "sending" && <ProgressBar label={path} done={size > 0 ? uploaded / size : 0} />}
      {isFailed && (
        <div className={styles.error}>
          <p>{error}</p>
          {isUnreadable && <ChooseAgain path={path} onReplace={onReplace} />}
        </div>
      )}
    </li>
  );
}

function ChooseAgain({ path, onReplace }: { path: string; onReplace: (file: File) => void }) {
  const { field, open } = useFilePicker({
    label: `File to upload instead of ${path}`,
    onPick: ([file]) => file && onReplace(file),
  });
  return (
    <>
      {field}
      <Button size="xs" variant="default" aria-label={`Choose again: ${path}`} onClick={open}>
        Choose again
      </Button>
    </>
  );
}

interface UploadPanelProps {
  queue: UploadQueue;
  uploads: UploadJob[];
  /** Bytes sent per second, if measured. */
  rate: number | undefined;
  /** Why the queue is paused until the user has done something. */
  paused: string;
  /** On another page than that of the files: then the list is folded at first. */
  isElsewhere: boolean;
  /** Opens the question that an upload waits with; undefined if none does, or if it is open by itself. */
  onAnswer?: () => void;
}

/** More rows would be slow to draw, and too many to read. */
const MAX_ROWS = 50;
const LEFT_OUT = ["unchanged", "skipped", "cancelled"];
const ORDER = ["conflict", "failed", "sending", "waiting", "done", ...LEFT_OUT];

/** The state of the uploads: all of them in one bar, and each in its own. */
export function UploadPanel({ queue, uploads, rate, paused, isElsewhere, onAnswer }: UploadPanelProps) {
  const counts = countUploads(uploads);
  const { open, failed, done } = counts;
  const retriable = uploads.filter(({ state, isUnreadable }) => state === "failed" && !isUnreadable).length;
  const panel = useRef<HTMLElement>(null);
  const listId = useId();
  const [isChosenUnfolded, setUnfolded] = useState<boolean | null>(null);
  const isUnfolded = isChosenUnfolded ?? (!isElsewhere || failed > 0);
  const counted = uploads.filter(({ state }) => !LEFT_OUT.includes(state));
  const bytes = counted.reduce((sum, { size }) => sum + size, 0);
  const uploaded = counted.reduce((sum, upload) => sum + upload.uploaded, 0);
  const shown = uploads.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state)).slice(0, MAX_ROWS);

  function cancel(id: number) {
    queue.cancel(id);
    // The button goes with its row.
    panel.current?.focus();
  }

  return (
    <section ref={panel} tabIndex={-1} className={styles.panel} data-uploads aria-label="Uploads">
      <div className={styles.head}>
        <p role="status">
          <strong>{uploadsInWords(counts)}</strong>
        </p>
        {done < uploads.length && (
          <IconButton
            size="lg"
            className={styles.fold}
            aria-label={isUnfolded ? "Hide the files" : "Show the files"}
            aria-expanded={isUnfolded}
            aria-controls={listId}
            onClick={() => setUnfolded(!isUnfolded)}
          >
            {isUnfolded ? <IconChevronDown size={18} /> : <IconChevronUp size={18} />}
          </IconButton>
        )}
        {open === 0 && (
          <IconButton size="lg" aria-label="Close the list of uploads" onClick={() => queue.clear()}>
            <IconX size={18} />
          </IconButton>
        )}
      </div>
      {open > 0 && (
        <>
          <ProgressBar label="All uploads" done={bytes > 0 ? uploaded / bytes : done / Math.max(1, counted.length)} />
          <p className={styles.soft}>{progress(uploaded, bytes, rate)}</p>
        </>
      )}
      {paused && (
        <div role="alert" className={styles.paused}>
          <p>
            <span>{paused}</span>{" "}
            <a href="/signin" target="_blank" rel="noreferrer">
              Open sign-in in a new tab
            </a>
            , then continue here.
          </p>
          <Button size="xs" onClick={() => queue.goOn()}>
            Continue
          </Button>
        </div>
      )}
      {onAnswer && (
        <div role="status" className={styles.paused}>
          <p>A name is already taken. The other files keep uploading.</p>
          <Button size="xs" onClick={onAnswer}>
            Decide
          </Button>
        </div>
      )}
      {done < uploads.length && (
        <div id={listId} hidden={!isUnfolded}>
          <ul className={styles.uploads}>
            {shown.map((upload) => (
              <UploadRow
                key={upload.id}
                upload={upload}
                onCancel={() => cancel(upload.id)}
                onReplace={(file) => queue.replace(upload.id, file)}
              />
            ))}
          </ul>
          {uploads.length > shown.length && (
            <p className={styles.soft}>{`and ${(uploads.length - shown.length).toLocaleString("en")} more`}</p>
          )}
        </div>
      )}
      {(open > 0 || retriable > 0 || (failed > 0 && isElsewhere)) && (
        <div className={styles.buttons}>
          {retriable > 0 && (
            <Button size="xs" onClick={() => queue.retryFailed()}>
              {retriable === 1 ? "Retry failed upload" : `Retry ${retriable.toLocaleString("en")} failed uploads`}
            </Button>
          )}
          {open > 0 && (
            <SteadyButton size="xs" variant="default" onClick={() => queue.cancelAll()}>
              Cancel all
            </SteadyButton>
          )}
          {isElsewhere && <a href="/files">Go to the files</a>}
        </div>
      )}
    </section>
  );
}

function progress(uploaded: number, bytes: number, rate: number | undefined): string {
  const parts = [`${readableBytes(uploaded)} of ${readableBytes(bytes)}`];
  // Two digits: more of them change all the time.
  if (rate) parts.push(`${readableBytes(Number(rate.toPrecision(2)))}/s`);
  if (rate && uploaded < bytes) parts.push(`${readableSeconds((bytes - uploaded) / rate)} left`);
  return parts.join(" · ");
}
