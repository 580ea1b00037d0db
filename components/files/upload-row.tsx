import { IconCheck, IconX } from "@/components/icons";
import { IconButton } from "../icon-button";
import { ProgressBar } from "../progress-bar";
import { readableBytes } from "../readable-bytes";
import styles from "./upload-panel.module.css";
import type { UploadStage } from "./uploads-in-words";

export interface ShownUpload {
  id: number;
  path: string;
  size: number;
  sent: number;
  isPaused: boolean;
  state: UploadStage;
  error: string;
}

const WORDS = {
  waiting: "Waiting",
  asking: "Needs your answer",
  done: "Done",
  skipped: "Skipped",
  cancelled: "Cancelled",
};

/** One upload in the list, with how far it is. */
export function UploadRow({ upload, onCancel }: { upload: ShownUpload; onCancel: (id: number) => void }) {
  const { id, path, size, sent, isPaused, state, error } = upload;
  const isOpen = state === "waiting" || state === "sending" || state === "asking";
  return (
    <li className={styles.upload}>
      <span className={styles.name} title={path}>
        <bdi translate="no">{path}</bdi>
      </span>
      <span className={styles.soft}>
        {state === "sending" && (
          <span>{isPaused ? "No response, retrying" : `${readableBytes(sent)} of ${readableBytes(size)}`}</span>
        )}
        {state === "done" && <IconCheck size={16} />}
        {state !== "sending" && state !== "failed" && <span>{WORDS[state]}</span>}
      </span>
      {isOpen && (
        <IconButton aria-label={`Cancel ${path}`} onClick={() => onCancel(id)}>
          <IconX size={16} />
        </IconButton>
      )}
      {state === "sending" && <ProgressBar label={path} done={size > 0 ? sent / size : 0} />}
      {state === "failed" && <p className={styles.error}>{error}</p>}
    </li>
  );
}
