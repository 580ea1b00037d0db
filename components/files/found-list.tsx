import type { MouseEvent } from "react";
import { IconChevronRight } from "@/components/icons";
import { readableBytes } from "../readable-bytes";
import { When } from "../when";
import { EntryIcon } from "./entry-icon";
import type { Entry } from "./entry-list";
import styles from "./found-list.module.css";

interface Found extends Entry {
  folders: string[];
  isDeeper: boolean;
}

interface FoundListProps<Item extends Found> {
  entries: Item[];
  hrefOf: (entry: Item) => string;
  onOpen: (entry: Item, event: MouseEvent) => void;
}

/** Files and folders from anywhere, each with the folders that it is in. */
export function FoundList<Item extends Found>({ entries, hrefOf, onOpen }: FoundListProps<Item>) {
  return (
    <ul className={styles.list} aria-label="Found files and folders">
      {entries.map((entry) => (
        <li key={entry.id}>
          <a href={hrefOf(entry)} onClick={(event) => onOpen(entry, event)}>
            <EntryIcon type={entry.type} isFolder={entry.isFolder} />
            <span className={styles.what}>
              <bdi translate="no" className={styles.name}>
                {entry.name}
              </bdi>
              <span className={styles.path}>
                <Path {...entry} />
              </span>
            </span>
            <span className={styles.amount}>
              {entry.isFolder ? `${entry.children.toLocaleString("en")} inside` : readableBytes(entry.size)}
            </span>
            <span className={styles.when}>{entry.edited !== null && <When at={new Date(entry.edited)} />}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Path({ folders, isDeeper }: { folders: string[]; isDeeper: boolean }) {
  const names = [isDeeper ? "…" : "All files", ...folders];
  return names.map((name, level) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a folder's place in the path is what it is
    <span key={level}>
      {level > 0 && <IconChevronRight size={12} />}
      <bdi translate="no">{name}</bdi>
    </span>
  ));
}
