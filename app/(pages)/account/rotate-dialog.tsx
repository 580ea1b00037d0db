"use client";

import { Button } from "@mantine/core";
import { Dialog } from "@/components/dialog";
import { ProgramList } from "@/components/link/program-list";
import { Actions } from "@/components/panel";
import type { LinkedProgram } from "@/lib/link/programs";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { rotate, type ShownToken } from "./actions";

interface RotateDialogProps {
  title: string;
  /** What stops when it is done. */
  programs: LinkedProgram[];
  opened: boolean;
  onClose: () => void;
  /** Gets the new token. */
  onRotated: (token: ShownToken) => void;
}

/** Names what will stop before the token is replaced. */
export function RotateDialog({ title, programs, opened, onClose, onRotated }: RotateDialogProps) {
  const { run, busy, error } = useAction();

  async function submit() {
    const answer = await run(rotate);
    if (!answer) return;
    onRotated(answer.ok);
    onClose();
  }

  return (
    <Dialog opened={opened} onClose={onClose} title={title}>
      <p>
        You get a new token, and the present one stops working at once.{" "}
        {programs.length > 0 ? "These programs stop until you link them again:" : "No program was linked with it."}
      </p>
      {programs.length > 0 && <ProgramList programs={programs} />}
      <p>So does every place where you pasted the token yourself.</p>
      <ErrorNotice error={error} />
      <Actions>
        <Button color="red" onClick={submit} loading={busy}>
          Rotate the token
        </Button>
        <Button variant="default" onClick={onClose}>
          Keep it
        </Button>
      </Actions>
    </Dialog>
  );
}
