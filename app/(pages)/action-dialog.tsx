"use client";

import { type ComponentProps, type ReactNode, useEffect, useState } from "react";
import { Button } from "@/components/buttons";
import { Dialog } from "@/components/dialog";
import { SteadyButton, watchRest } from "@/components/steady-button";
import { ActionForm, type ActionFormProps, Submit, type SubmitProps } from "./action-form";

interface ActionDialogProps<Input, Result> extends ActionFormProps<Input, Result> {
  title: string;
  /** The words of the button that does it, and its looks: red for what can't be undone. */
  submit: string;
  color?: SubmitProps["color"];
  as?: SubmitProps["as"];
  disabled?: boolean;
  onClose: () => void;
  /** Stands below the buttons. */
  footer?: ReactNode;
}

/** Asks before something is done, and does it. Then it closes, unless `onDone` leaves the page. */
export function ActionDialog<Input, Result>(props: ActionDialogProps<Input, Result>) {
  const { title, submit, color, as = SteadyButton, disabled, onClose, onDone, children, footer, ...form } = props;

  function finish(result: Result) {
    const leaving = onDone?.(result);
    if (leaving instanceof Promise) return leaving;
    onClose();
  }

  return (
    <Dialog onClose={onClose} title={title}>
      <ActionForm {...form} onDone={finish}>
        {children}
        <Submit as={as} color={color} disabled={disabled} cancel={onClose}>
          {submit}
        </Submit>
        {footer}
      </ActionForm>
    </Dialog>
  );
}

interface DialogButtonProps extends Omit<ComponentProps<typeof Button>, "onClick"> {
  dialog: (close: () => void) => ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const [isOpen, setOpen] = useState(false);
  // So that the dialog's own button knows for how long the window has been as it is, and need not wait.
  useEffect(() => watchRest(() => {}), []);
  return (
    <>
      <Button size="sm" variant="default" {...button} onClick={() => setOpen(true)} />
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}
