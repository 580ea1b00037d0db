"use client";

import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Form } from "@/components/form";
import form from "@/components/form.module.css";
import { Actions } from "@/components/panel";
import { TextInput } from "@/components/text-input";
import { ErrorNotice } from "../error-notice";
import type { Outcome } from "../outcome";
import { useAction } from "../use-action";

interface NameDialogProps {
  title: string;
  button: string;
  /** The initial text of the field; for a file's name, the part before its extension is selected. */
  name: string;
  /** Gets the name that was typed. */
  action: (name: string) => Promise<Outcome<unknown>>;
  onClose: () => void;
}

/** Asks for the name of a file or folder. */
export function NameDialog({ title, button, name, action, onClose }: NameDialogProps) {
  const { run, busy, failure, error, errorAt } = useAction();
  const [typed, setTyped] = useState(name);
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => field.current?.setSelectionRange(0, endOfStem(name)), [name]);

  async function submit() {
    if (typed === name || (await run(() => action(typed)))) onClose();
  }

  return (
    <Dialog opened onClose={onClose} title={title}>
      <Form onSubmit={submit} failure={failure} className={form.form}>
        <TextInput
          label="Name"
          required
          autoComplete="off"
          spellCheck={false}
          autoFocus
          maxLength={255}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          ref={field}
          error={errorAt("name")}
        />
        <ErrorNotice error={error} />
        <Actions>
          <Button type="submit" loading={busy}>
            {button}
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Actions>
      </Form>
    </Dialog>
  );
}

function endOfStem(name: string): number {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? dot : name.length;
}
