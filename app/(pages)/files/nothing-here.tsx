import { Button } from "@/components/button";
import { IconFolderOpen } from "@/components/icons";
import { Actions } from "@/components/panel";
import styles from "./files.module.css";

interface NothingHereProps {
  filter: string;
  isRoot: boolean;
  onShowAll: () => void;
  /** Undefined if all folders were searched. */
  onSearchAll?: () => void;
}

/** The text of an empty list: nothing was found, or nothing is there. */
export function NothingHere({ filter, isRoot, onShowAll, onSearchAll }: NothingHereProps) {
  if (filter !== "") {
    return (
      <div className={styles.nothing}>
        <h2>{`No matches for “${filter}” in ${onSearchAll ? "this folder" : "any folder"}`}</h2>
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
      </div>
    );
  }
  return (
    <div className={styles.nothing}>
      <IconFolderOpen size={44} stroke={1.25} />
      <h2>{isRoot ? "No files yet" : "This folder is empty"}</h2>
      <p>
        Drop files or folders anywhere on this page, or use the buttons above.
        {isRoot && <span> Linked programs can read all of them in one request.</span>}
      </p>
    </div>
  );
}
