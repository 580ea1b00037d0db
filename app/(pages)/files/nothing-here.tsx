import { Button } from "@mantine/core";
import { IconFolderOpen } from "@tabler/icons-react";
import styles from "./files.module.css";

/** What a list says that is empty: because nothing was found, or because nothing is there. */
export function NothingHere({ filter, isRoot, onShowAll }: { filter: string; isRoot: boolean; onShowAll: () => void }) {
  if (filter !== "") {
    return (
      <div className={styles.nothing}>
        <h2>No name here has “{filter}” in it</h2>
        <Button size="sm" variant="default" onClick={onShowAll}>
          Show all of them
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.nothing}>
      <IconFolderOpen size={44} stroke={1.25} aria-hidden />
      <h2>{isRoot ? "Nothing is stored here yet" : "This folder is empty"}</h2>
      <p>Drop files or whole folders anywhere on this page, or use the buttons above.{isRoot && " Programs that you link read all of them in one request."}</p>
    </div>
  );
}
