"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { Actions } from "@/components/panel";
import { ErrorNotice } from "../error-notice";
import { FolderTree } from "./folder-tree";
import type { Target } from "./use-changes";

interface MoveDialogProps {
  /** The ids of the moved entries: none of them is a possible target. */
  ids: string[];
  /** Description of the moved entries. */
  what: string;
  /** The current folder. */
  from: string;
  busy: boolean;
  error: string;
  onMove: (folder: Target) => void;
  onClose: () => void;
}

/** Asks for the target folder. */
export function MoveDialog({ ids, what, from, busy, error, onMove, onClose }: MoveDialogProps) {
  const [target, setTarget] = useState<Target | null>(null);
  return (
    <Dialog opened onClose={onClose} title={`Move ${what}`}>
      <Form onSubmit={() => target && onMove(target)} className={form.form}>
        <FolderTree hidden={ids} disabled={from} target={target?.id ?? null} onChoose={setTarget} />
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
