"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/controls/button";
import { SteadyButton } from "@/components/controls/steady-button";
import { Dialog } from "@/components/feedback/dialog";
import { Actions } from "@/components/frame/panel";
import type { Outcome } from "./action";
import { ErrorNotice } from "./error-notice";
import { useAction } from "./use-action";

interface ConfirmDialogProps<Result> {
  opened: boolean;
  title: string;
  /** The words of the button that does it. */
  confirm: string;
  action: () => Promise<Outcome<Result>>;
  onClose: () => void;
  /** Called after the dialog was closed. */
  onDone: (result: Result) => void;
  /** What it means. */
  children: ReactNode;
  /** Stands below the buttons. */
  footer?: ReactNode;
}

/** Asks before something is done that cannot be undone, and does it. A failure is shown in the dialog. */
export function ConfirmDialog<Result>(props: ConfirmDialogProps<Result>) {
  const { opened, title, confirm, action, onClose, onDone, children, footer } = props;
  const { run, busy, error, clear } = useAction();

  async function submit() {
    const done = await run(action);
    if (!done) return;
    close();
    onDone(done.ok);
  }

  function close() {
    clear();
    onClose();
  }

  return (
    <Dialog opened={opened} onClose={close} title={title}>
      {children}
      <ErrorNotice error={error} />
      <Actions>
        <SteadyButton color="red" onClick={submit} loading={busy}>
          {confirm}
        </SteadyButton>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
      </Actions>
      {footer}
    </Dialog>
  );
}
