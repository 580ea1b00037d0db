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
  /** What it shows once it is done, instead of closing; and under which title, if under another. */
  shows?: (result: Result) => ReactNode;
  titleOf?: (result: Result) => string;
  /** Stands below the buttons. */
  footer?: ReactNode;
}

/** Asks before something is done, and does it. Then it closes, unless it `shows` more or `onDone` leaves the page. */
export function ActionDialog<Input, Result>(props: ActionDialogProps<Input, Result>) {
  const { title, submit, color, as = SteadyButton, disabled, onClose, shows, titleOf, ...rest } = props;
  const { onDone, children, footer, ...form } = rest;
  const [done, setDone] = useState<{ result: Result } | null>(null);

  function finish(result: Result) {
    const leaving = onDone?.(result);
    if (leaving instanceof Promise) return leaving;
    if (shows) setDone({ result });
    else onClose();
  }

  if (done && shows)
    return (
      <Dialog onClose={onClose} title={titleOf?.(done.result) ?? title}>
        {shows(done.result)}
      </Dialog>
    );
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

interface AskButtonProps<Input, Result> extends Omit<ActionDialogProps<Input, Result>, "onClose"> {
  /** Its words and looks. */
  button: Omit<DialogButtonProps, "dialog">;
}

/** A button that asks before it does something. */
export function AskButton<Input, Result>({ button, ...dialog }: AskButtonProps<Input, Result>) {
  return <DialogButton {...button} dialog={(close) => <ActionDialog {...dialog} onClose={close} />} />;
}
