import type { MouseEvent } from "react";
import { FoundList } from "@/components/files/found-list";
import type { Search } from "@/lib/files/search";
import styles from "./files.module.css";
import { NothingHere } from "./nothing-here";
import { hrefOf, inFolder, type View } from "./view";

interface FoundEntriesProps {
  found: Search;
  view: View;
  isGoing: boolean;
  onGo: (change: Partial<View>, event?: MouseEvent) => void;
}

/** What a search in all folders found. A result leads to its folder, and points it out there. */
export function FoundEntries({ found, view, isGoing, onGo }: FoundEntriesProps) {
  const { entries, hasMore, searched } = found;
  return (
    <div aria-busy={isGoing} className={styles.entries}>
      <p role="status" className={styles.found}>
        {inWords(found)}
      </p>
      {entries.length > 0 ? (
        <FoundList
          entries={entries}
          hrefOf={(entry) => hrefOf(shownIn(view, entry))}
          onOpen={(entry, event) => onGo(shownIn(view, entry), event)}
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

function shownIn(view: View, { id, folderId }: { id: string; folderId: string }): View {
  return { ...inFolder(view, folderId), show: id };
}

function inWords({ entries, hasMore, searched }: Search): string {
  if (hasMore) return `More than ${entries.length} matches. Type more of the name to see fewer.`;
  const count = entries.length === 1 ? "1 match" : `${entries.length} matches`;
  if (searched === null) return entries.length > 0 ? count : "";
  const first = `${count} among the first ${searched.toLocaleString("en")} files and folders.`;
  return `${first} Open a folder to search the rest.`;
}
