import type { MouseEvent } from "react";
import { When } from "@/components/content/time";
import { readableBytes } from "@/components/content/words";
import { Button } from "@/components/controls/button";
import { IconChevronRight } from "@/components/frame/icons";
import { Actions, EmptyState } from "@/components/frame/panel";
import type { Search } from "@/lib/files/search";
import { type Entry, EntryIcon } from "./entry-list";
import styles from "./files.module.css";
import resultStyles from "./search-results.module.css";
import { hrefOf, inFolder, type View } from "./view";

interface NothingHereProps {
  filter: string;
  isRoot: boolean;
  onShowAll: () => void;
  /** Undefined if all folders were searched. */
  onSearchAll?: () => void;
}

/** The text of an empty list: no match, or nothing is there. */
export function NothingHere({ filter, isRoot, onShowAll, onSearchAll }: NothingHereProps) {
  if (filter !== "") {
    return (
      <EmptyState title={`No matches for “${filter}” in ${onSearchAll ? "this folder" : "any folder"}`}>
        <Actions>
          {onSearchAll && (
            <Button size="sm" onClick={onSearchAll}>
              Search all folders
            </Button>
          )}
          <Button size="sm" variant="default" onClick={onShowAll}>
            Clear filter
          </Button>
        </Actions>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={isRoot ? "No files yet" : "This folder is empty"}>
      <p>
        Drop files or folders anywhere on this page, or use the buttons above.
        {isRoot && <span> Linked programs can read all of them in one request.</span>}
      </p>
    </EmptyState>
  );
}

interface Result extends Entry {
  folders: string[];
  isDeeper: boolean;
}

interface ResultListProps<Item extends Result> {
  entries: Item[];
  hrefOf: (entry: Item) => string;
  onOpen: (entry: Item, event: MouseEvent) => void;
}

/** Files and folders from anywhere, each with the folders that it is in. */
function ResultList<Item extends Result>({ entries, hrefOf, onOpen }: ResultListProps<Item>) {
  return (
    <ul className={resultStyles.list} aria-label="Found files and folders">
      {entries.map((entry) => (
        <li key={entry.id}>
          <a href={hrefOf(entry)} onClick={(event) => onOpen(entry, event)}>
            <EntryIcon type={entry.type} isFolder={entry.isFolder} />
            <span className={resultStyles.what}>
              <bdi translate="no" className={resultStyles.name}>
                {entry.name}
              </bdi>
              <span className={resultStyles.path}>
                <Path {...entry} />
              </span>
            </span>
            <span className={resultStyles.amount}>
              {entry.isFolder ? `${entry.children.toLocaleString("en")} inside` : readableBytes(entry.size)}
            </span>
            <span className={resultStyles.when}>{entry.edited !== null && <When at={new Date(entry.edited)} />}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Path({ folders, isDeeper }: { folders: string[]; isDeeper: boolean }) {
  const names = [isDeeper ? "…" : "All files", ...folders];
  return names.map((name, level) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a folder's level in the path is its identity
    <span key={level}>
      {level > 0 && <IconChevronRight size={12} />}
      <bdi translate="no">{name}</bdi>
    </span>
  ));
}

interface SearchResultsProps {
  results: Search;
  view: View;
  isGoing: boolean;
  onGo: (change: Partial<View>, event?: MouseEvent) => void;
}

/** The matches of a search in all folders. A result leads to its folder, and points it out there. */
export function SearchResults({ results, view, isGoing, onGo }: SearchResultsProps) {
  const { entries, hasMore, searched } = results;
  return (
    <div aria-busy={isGoing} className={styles.entries}>
      <p role="status" className={styles.summary}>
        {inWords(results)}
      </p>
      {entries.length > 0 ? (
        <ResultList
          entries={entries}
          hrefOf={(entry) => hrefOf(viewOf(view, entry))}
          onOpen={(entry, event) => onGo(viewOf(view, entry), event)}
        />
      ) : (
        !hasMore &&
        searched === null && (
          <NothingHere filter={view.filter} isRoot={false} onShowAll={() => onGo({ filter: "", everywhere: false })} />
        )
      )}
    </div>
  );
}

function viewOf(view: View, { id, folderId }: { id: string; folderId: string }): View {
  return { ...inFolder(view, folderId), show: id };
}

function inWords({ entries, hasMore, searched }: Search): string {
  if (hasMore) return `More than ${entries.length} matches. Type more of the name to see fewer.`;
  const count = entries.length === 1 ? "1 match" : `${entries.length} matches`;
  if (searched === null) return entries.length > 0 ? count : "";
  const first = `${count} among the first ${searched.toLocaleString("en")} files and folders.`;
  return `${first} Open a folder to search the rest.`;
}
