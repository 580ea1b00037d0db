"use client";

import { ActionIcon, Button } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import { ProgressBar } from "../progress-bar";
import { readableBytes } from "../readable-bytes";
import styles from "./upload-panel.module.css";

interface ShownUpload {
  id: number;
  path: string;
  size: number;
  sent: number;
  isPaused: boolean;
  state: "waiting" | "sending" | "asking" | "done" | "skipped" | "cancelled" | "failed";
  error: string;
}

interface UploadPanelProps {
  uploads: ShownUpload[];
  /** Why nothing goes on until the person has done something. */
  paused: string;
  onCancel: (id: number) => void;
  onCancelAll: () => void;
  onRetry: () => void;
  onGoOn: () => void;
  onClose: () => void;
}

/** More would be drawn slowly, and read by nobody. */
const MOST_ROWS = 50;
const ORDER = ["asking", "failed", "sending", "waiting", "done", "skipped", "cancelled"];
const WORDS = { waiting: "Waiting", asking: "Needs your answer", done: "Done", skipped: "Skipped", cancelled: "Cancelled" };

/** How the uploads stand: all of them in one bar, and each in one of its own. */
export function UploadPanel({ uploads, paused, onCancel, onCancelAll, onRetry, onGoOn, onClose }: UploadPanelProps) {
  const count = (...states: string[]) => uploads.filter(({ state }) => states.includes(state)).length;
  const counted = uploads.filter(({ state }) => state !== "skipped" && state !== "cancelled");
  const [open, failed, done] = [count("waiting", "sending", "asking"), count("failed"), count("done")];
  const bytes = counted.reduce((sum, { size }) => sum + size, 0);
  const sent = counted.reduce((sum, upload) => sum + upload.sent, 0);
  const shown = uploads.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state)).slice(0, MOST_ROWS);

  return (
    <section className={styles.panel} aria-label="Uploads">
      <div className={styles.head}>
        <p role="status">
          <strong>{title(open, failed, done, counted.length)}</strong>
        </p>
        {open === 0 && (
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label="Close the list of uploads" onClick={onClose}>
            <IconX size={18} aria-hidden />
          </ActionIcon>
        )}
      </div>
      {open > 0 && (
        <>
          <ProgressBar label="All uploads" done={bytes > 0 ? sent / bytes : done / Math.max(1, counted.length)} />
          <p className={styles.soft}>
            {readableBytes(sent)} of {readableBytes(bytes)}
          </p>
        </>
      )}
      {paused && (
        <div role="alert" className={styles.paused}>
          <p>
            {paused}{" "}
            <a href="/signin" target="_blank" rel="noreferrer">
              Sign in in a new tab
            </a>
            , then go on here.
          </p>
          <Button size="xs" onClick={onGoOn}>
            Go on
          </Button>
        </div>
      )}
      {done < uploads.length && (
        <>
          <ul className={styles.uploads}>
            {shown.map((upload) => (
              <Row key={upload.id} upload={upload} onCancel={onCancel} />
            ))}
          </ul>
          {uploads.length > shown.length && <p className={styles.soft}>and {(uploads.length - shown.length).toLocaleString("en")} more</p>}
        </>
      )}
      {(open > 0 || failed > 0) && (
        <div className={styles.buttons}>
          {failed > 0 && (
            <Button size="xs" onClick={onRetry}>
              {failed === 1 ? "Try the failed one again" : `Try the ${failed.toLocaleString("en")} failed again`}
            </Button>
          )}
          {open > 0 && (
            <Button size="xs" variant="default" onClick={onCancelAll}>
              Cancel all
            </Button>
          )}
        </div>
      )}
    </section>
  );
}

function Row({ upload, onCancel }: { upload: ShownUpload; onCancel: (id: number) => void }) {
  const { id, path, size, sent, isPaused, state, error } = upload;
  const isOpen = state === "waiting" || state === "sending" || state === "asking";
  return (
    <li className={styles.upload}>
      <span className={styles.name} title={path}>
        <bdi>{path}</bdi>
      </span>
      <span className={styles.soft}>
        {state === "sending" && (isPaused ? "No answer, trying again" : `${readableBytes(sent)} of ${readableBytes(size)}`)}
        {state === "done" && <IconCheck size={16} aria-hidden />}
        {state !== "sending" && state !== "failed" && WORDS[state]}
      </span>
      {isOpen && (
        <ActionIcon variant="subtle" color="gray" aria-label={`Cancel ${path}`} onClick={() => onCancel(id)}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
      {state === "sending" && <ProgressBar label={path} done={size > 0 ? sent / size : 0} />}
      {state === "failed" && <p className={styles.error}>{error}</p>}
    </li>
  );
}

function title(open: number, failed: number, done: number, all: number): string {
  const files = (count: number) => (count === 1 ? "1 file" : `${count.toLocaleString("en")} files`);
  if (open > 0) return `Uploading ${done.toLocaleString("en")} of ${files(all)}`;
  if (failed > 0) return `${files(failed)} could not be uploaded${done > 0 ? `, ${files(done)} uploaded` : ""}`;
  return done > 0 ? `${files(done)} uploaded` : "Nothing was uploaded";
}
