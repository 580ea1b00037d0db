"use client";

import { useState } from "react";
import { Button } from "@/components/controls/button";
import { TextInput } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
import { SteadyButton } from "@/components/controls/steady-button";
import { Dialog } from "@/components/feedback/dialog";
import { IconTrash } from "@/components/frame/icons";
import { Actions } from "@/components/frame/panel";
import type { PageAction } from "../action";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { typable } from "./commands";
import styles from "./keys.module.css";

interface DeleteKeyProps {
  keyId: string;
  name: string;
  /** The page's action. */
  remove: PageAction<string, void>;
  /** The page to open afterwards. */
  next: string;
}

/** Deletes a key after its name was entered or, without a name, the beginning of its id. */
export function DeleteKey({ keyId, name, remove, next }: DeleteKeyProps) {
  const { run, busy, failure, error, clear } = useAction();
  const [isOpen, setOpen] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [input, setInput] = useState("");
  const expected = typable(name);

  function open() {
    clear();
    setOpen(true);
  }

  async function submit() {
    if (typable(input) !== (expected || keyId.slice(0, 8)) || !(await run(remove, keyId))) return;
    setLeaving(true);
    window.location.assign(next);
  }

  return (
    <>
      <Actions>
        <Button size="sm" variant="outline" color="red" onClick={open} leftSection={<IconTrash size={16} />}>
          Delete
        </Button>
      </Actions>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title="Delete this key?">
        <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.form}>
          <p>
            This can't be undone. To confirm, type{" "}
            <span>{expected ? "the key's name" : "the beginning of its id"}</span>:{" "}
            <strong translate="no">{expected || keyId.slice(0, 8)}</strong>
          </p>
          <TextInput
            label={expected ? "Key name" : "Beginning of its id"}
            autoComplete="off"
            spellCheck={false}
            value={input}
            onChange={(event) => setInput(event.currentTarget.value)}
          />
          <ErrorNotice error={error} />
          <Actions>
            <SteadyButton
              type="submit"
              color="red"
              loading={busy || leaving}
              disabled={typable(input) !== (expected || keyId.slice(0, 8))}
            >
              Delete key
            </SteadyButton>
            <Button variant="default" onClick={() => setOpen(false)}>
              Cancel
            </Button>
          </Actions>
        </Form>
      </Dialog>
    </>
  );
}
