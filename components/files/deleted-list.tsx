"use client";

import { Button } from "../button";
import { RelativeTime } from "../relative-time";
import styles from "./deleted-list.module.css";
import { EntryIcon } from "./entry-icon";

interface Deletion {
  version: number;
  at: number;
  entries: number;
  names: { name: string; type: string; isFolder: boolean }[];
  more: number | null;
}

interface DeletedListProps {
  deletions: Deletion[];
  /** The version of the one that is being restored. */
  restoring: number | null;
  onRestore: (version: number) => void;
}

/** Deletions, each with what it removed and when. */
export function DeletedList({ deletions, restoring, onRestore }: DeletedListProps) {
  return (
    <ul className={styles.list} aria-label="Deletions">
      {deletions.map(({ version, at, entries, names, more }) => (
        <li key={version}>
          {names[0] && <EntryIcon {...names[0]} />}
          <div className={styles.what}>
            <strong id={`deletion-${version}`}>
              <bdi translate="no">{inWords(names, more)}</bdi>
            </strong>
            <span className={styles.soft}>
              <span>{entries === 1 ? "1 item" : `${entries.toLocaleString("en")} items`}</span>, deleted{" "}
              <RelativeTime at={new Date(at)} precise />
            </span>
          </div>
          <Button
            size="sm"
            variant="default"
            aria-describedby={`deletion-${version}`}
            loading={restoring === version}
            disabled={restoring !== null && restoring !== version}
            onClick={() => onRestore(version)}
          >
            Restore
          </Button>
        </li>
      ))}
    </ul>
  );
}

function inWords(names: Deletion["names"], more: number | null): string {
  const named = names.map(({ name }) => name).join(", ");
  if (more === null) return `${named} and more`;
  return more > 0 ? `${named} and ${more.toLocaleString("en")} more` : named;
}
