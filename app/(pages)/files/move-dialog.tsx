"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "@/components/dialog";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { Actions } from "@/components/panel";
import { ErrorNotice } from "../error-notice";
import { FolderTree } from "./folder-tree";

interface MoveDialogProps {
  /** Of what is to be moved: none of it is a place to move it to. */
  ids: string[];
  /** What is moved, in words. */
  what: string;
  /** The folder that it is in. */
  from: string;
  busy: boolean;
  error: string;
  onMove: (folderId: string) => void;
  onClose: () => void;
}

/** Asks for the folder to move something to. */
export function MoveDialog({ ids, what, from, busy, error, onMove, onClose }: MoveDialogProps) {
  const [target, setTarget] = useState<string | null>(null);
  return (
    <Dialog opened onClose={onClose} title={`Move ${what}`}>
      <Form onSubmit={() => target !== null && onMove(target)} className={form.form}>
        <FolderTree hidden={ids} disabled={from} target={target} onChoose={setTarget} />
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
