import { type ChangeEvent, useRef } from "react";
import { IconCheck, IconX } from "@/components/icons";
import { Button } from "../button";
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
  /** Its file cannot be read; it must be chosen again. */
  isLost: boolean;
}

interface UploadRowProps {
  upload: ShownUpload;
  onCancel: (id: number) => void;
  onReplace: (id: number, file: File) => void;
}

const WORDS = {
  waiting: "Waiting",
  asking: "Needs your answer",
  done: "Done",
  skipped: "Skipped",
  cancelled: "Cancelled",
};

/** One upload in the list, with how far it is. */
export function UploadRow({ upload, onCancel, onReplace }: UploadRowProps) {
  const { id, path, size, sent, isPaused, state, error, isLost } = upload;
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
      {(isOpen || state === "failed") && (
        <IconButton
          aria-label={isOpen ? `Cancel ${path}` : `Remove ${path} from the list`}
          onClick={() => onCancel(id)}
        >
          <IconX size={16} />
        </IconButton>
      )}
      {state === "sending" && <ProgressBar label={path} done={size > 0 ? sent / size : 0} />}
      {state === "failed" && (
        <div className={styles.error}>
          <p>{error}</p>
          {isLost && <ChooseAgain path={path} onReplace={(file) => onReplace(id, file)} />}
        </div>
      )}
    </li>
  );
}

function ChooseAgain({ path, onReplace }: { path: string; onReplace: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const pick = ({ currentTarget: { files } }: ChangeEvent<HTMLInputElement>) => files?.[0] && onReplace(files[0]);
  return (
    <>
      <input ref={input} type="file" hidden aria-label={`File in place of ${path}`} onChange={pick} />
      <Button size="xs" variant="default" aria-label={`Choose again: ${path}`} onClick={() => input.current?.click()}>
        Choose again
      </Button>
    </>
  );
}
