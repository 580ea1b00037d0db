import { type ChangeEvent, useId, useRef } from "react";
import type { UnfinishedUpload } from "@/lib/files/upload";
import { Button } from "../button";
import { Notice } from "../notice";
import { readableBytes } from "../readable-bytes";
import { When } from "../when";
import styles from "./unfinished-list.module.css";

interface UnfinishedListProps {
  uploads: UnfinishedUpload[];
  /** The id of the one that is being discarded. */
  discarding: string | null;
  error: string;
  onGoOn: (files: File[]) => void;
  onDiscard: (upload: UnfinishedUpload) => void;
}

/** More rows would hide the files below. */
const MOST_SHOWN = 5;

/** Interrupted uploads, and how to continue them. */
export function UnfinishedList({ uploads, discarding, error, onGoOn, onDiscard }: UnfinishedListProps) {
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
          <p className={styles.soft}>Select the same file again, and its upload continues where it stopped.</p>
        </div>
        <input ref={input} type="file" multiple hidden aria-label="Files to continue with" onChange={pick} />
        <Button size="sm" variant="default" onClick={() => input.current?.click()}>
          Select files
        </Button>
      </div>
      <Notice kind="error">{error}</Notice>
      <ul>
        {uploads.slice(0, MOST_SHOWN).map((upload) => (
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
            <Button
              size="sm"
              variant="default"
              aria-label={`Discard the upload of ${upload.name}`}
              loading={discarding === upload.id}
              disabled={discarding !== null && discarding !== upload.id}
              onClick={() => onDiscard(upload)}
            >
              Discard
            </Button>
          </li>
        ))}
      </ul>
      {uploads.length > MOST_SHOWN && <p className={styles.soft}>{`and ${uploads.length - MOST_SHOWN} more`}</p>}
    </section>
  );
}
