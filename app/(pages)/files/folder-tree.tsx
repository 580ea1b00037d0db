"use client";

import { useEffect, useState } from "react";
import { IconButton } from "@/components/icon-button";
import { IconChevronDown, IconChevronRight, IconFolderFilled } from "@/components/icons";
import { Loader } from "@/components/loader";
import { Notice } from "@/components/notice";
import { whyFailed } from "@/components/why-failed";
import { countInWords, MOST_IN_TREE } from "@/lib/platform/bounds";
import { foldersIn } from "./actions";
import styles from "./folder-tree.module.css";

interface FolderTreeProps {
  /** Folders that are hidden with all their contents. */
  hidden: string[];
  /** A folder that is shown but cannot be selected. */
  disabled: string;
  target: string | null;
  onChoose: (folder: Folder) => void;
}

interface Folder {
  id: string;
  name: string;
}

/** All folders, one of which can be selected. Subfolders are loaded when a folder is expanded. */
export function FolderTree({ hidden, disabled, target, onChoose }: FolderTreeProps) {
  const shared = { hidden, disabled, target, onChoose };
  return (
    <fieldset className={styles.tree}>
      <legend>Move to</legend>
      <ul>
        <Branch folder={{ id: "", name: "All files" }} isUnfolded {...shared} />
      </ul>
    </fieldset>
  );
}

function Branch({ folder, isUnfolded = false, ...shared }: FolderTreeProps & { folder: Folder; isUnfolded?: boolean }) {
  const [unfolded, setUnfolded] = useState(isUnfolded);
  const [folders, setFolders] = useState<Folder[] | null>(null);
  const [isCut, setCut] = useState(false);
  const [error, setError] = useState("");
  const shown = folders?.filter(({ id }) => !shared.hidden.includes(id));

  useEffect(() => {
    if (!unfolded || folders) return;
    let isGone = false;
    foldersIn(folder.id)
      .catch(async (thrown) => ({ error: await whyFailed(thrown) }))
      .then((answer) => {
        if (isGone) return;
        if ("error" in answer) setError(answer.error);
        else {
          setFolders(answer.ok.folders);
          setCut(answer.ok.isCut);
        }
      });
    return () => {
      isGone = true;
    };
  }, [unfolded, folders, folder.id]);

  return (
    <li>
      <div className={styles.folder}>
        <IconButton
          size="lg"
          aria-label={`${unfolded ? "Collapse" : "Expand"} ${folder.name}`}
          aria-expanded={unfolded}
          onClick={() => {
            setError("");
            setUnfolded(!unfolded);
          }}
        >
          {unfolded ? <IconChevronDown size={18} /> : <IconChevronRight size={18} />}
        </IconButton>
        <label>
          <input
            type="radio"
            name="folder"
            checked={shared.target === folder.id}
            disabled={folder.id === shared.disabled}
            onChange={() => shared.onChoose(folder)}
          />
          <IconFolderFilled size={20} />
          <bdi translate="no">{folder.name}</bdi>
          {folder.id === shared.disabled && <small>Current folder</small>}
        </label>
      </div>
      {unfolded && (
        <>
          <Notice kind="error">{error}</Notice>
          {!folders && !error && <Loader size="sm" className={styles.note} aria-label="Loading" />}
          {shown?.length === 0 && (
            <p className={styles.note}>
              {folder.id === "" ? "No other folders yet. Create one first." : "No subfolders"}
            </p>
          )}
          {shown && shown.length > 0 && (
            <ul>
              {shown.map((inside) => (
                <Branch key={inside.id} folder={inside} {...shared} />
              ))}
            </ul>
          )}
          {isCut && (
            <p className={styles.note}>
              {`Only the first ${countInWords(MOST_IN_TREE)} folders are shown. ` +
                "To use another one, drag items onto it."}
            </p>
          )}
        </>
      )}
    </li>
  );
}
