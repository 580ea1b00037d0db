"use client";

import { useEffect, useState } from "react";
import { Button, IconButton } from "@/components/buttons";
import { Dialog } from "@/components/dialog";
import { whyFailed } from "@/components/failures";
import { Loader, Notice } from "@/components/feedback";
import { Form } from "@/components/form";
import { IconChevronDown } from "@/components/icons";
import { Actions } from "@/components/page";
import { countInWords, MAX_IN_TREE } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { foldersIn } from "./actions";
import styles from "./dialogs.module.css";
import { IconChevronRight, IconFolderFilled } from "./icons";
import type { Target } from "./use-changes";

interface BranchProps {
  folder: Target;
  isUnfolded?: boolean;
  /** Folders that are hidden with all their contents. */
  hidden: string[];
  /** A folder that is shown but cannot be selected. */
  disabled: string | null;
  target: string | undefined;
  onChoose: (folder: Target) => void;
}

/** A folder that can be selected, and those in it, which are loaded when it is expanded. */
function Branch({ folder, isUnfolded = false, ...shared }: BranchProps) {
  const [unfolded, setUnfolded] = useState(isUnfolded);
  const [inside, setInside] = useState<{ folders: Target[]; isCut: boolean } | null>(null);
  const [error, setError] = useState("");
  const shown = inside?.folders.filter(({ id }) => !shared.hidden.includes(id));

  useEffect(() => {
    if (!unfolded || inside) return;
    let isUnmounted = false;
    foldersIn(folder.id)
      .catch(async (thrown) => ({ error: await whyFailed(thrown) }))
      .then((result) => {
        if (isUnmounted) return;
        if ("error" in result) setError(result.error);
        else setInside(result.ok);
      });
    return () => {
      isUnmounted = true;
    };
  }, [unfolded, inside, folder.id]);

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
          {!inside && !error && <Loader size="sm" className={styles.note} aria-label="Loading" />}
          {shown?.length === 0 && (
            <p className={styles.note}>
              {folder.id === "" ? "No other folders yet. Create one first." : "No subfolders"}
            </p>
          )}
          {shown && shown.length > 0 && (
            <ul>
              {shown.map((each) => (
                <Branch key={each.id} folder={each} {...shared} />
              ))}
            </ul>
          )}
          {inside?.isCut && (
            <p className={styles.note}>
              {`Only the first ${countInWords(MAX_IN_TREE)} folders are shown. ` +
                "To use another one, drag items onto it."}
            </p>
          )}
        </>
      )}
    </li>
  );
}

interface MoveDialogProps {
  /** The ids of the moved entries: none of them is a possible target. */
  ids: string[];
  /** Description of the moved entries. */
  what: string;
  /** The current folder. */
  from: string | null;
  busy: boolean;
  error: string;
  onMove: (folder: Target) => void;
  onClose: () => void;
}

/** Asks for the target folder. */
export function MoveDialog({ ids, what, from, busy, error, onMove, onClose }: MoveDialogProps) {
  const [target, setTarget] = useState<Target | null>(null);
  return (
    <Dialog onClose={onClose} title={`Move ${what}`}>
      <Form onSubmit={() => target && onMove(target)} className="stack">
        <fieldset className={styles.tree}>
          <legend>Move to</legend>
          <ul>
            <Branch
              folder={{ id: "", name: "All files" }}
              isUnfolded
              hidden={ids}
              disabled={from}
              target={target?.id}
              onChoose={setTarget}
            />
          </ul>
        </fieldset>
        <ErrorNotice error={error} />
        <Actions>
          <Button type="submit" loading={busy} disabled={target === null}>
            Move here
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}
