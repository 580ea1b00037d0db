"use client";

import { useState } from "react";
import { TextInput } from "@/components/form";
import { IconTrash } from "@/components/icons";
import { Actions } from "@/components/page";
import { typable } from "@/components/words";
import type { PageAction } from "../action";
import { ActionDialog, DialogButton } from "../action-dialog";
import { leaveFor } from "../use-action";

interface DeleteKeyProps {
  keyId: string;
  name: string;
  /** The page's action. */
  remove: PageAction<string, void>;
  /** The page to open afterwards. */
  next: string;
}

/** Deletes a key after its name was entered or, without a name, the beginning of its id. */
export function DeleteKey(props: DeleteKeyProps) {
  return (
    <Actions>
      <DialogButton
        variant="outline"
        color="red"
        leftSection={<IconTrash size={16} />}
        dialog={(close) => <DeleteKeyDialog {...props} onClose={close} />}
      >
        Delete
      </DialogButton>
    </Actions>
  );
}

function DeleteKeyDialog({ keyId, name, remove, next, onClose }: DeleteKeyProps & { onClose: () => void }) {
  const [input, setInput] = useState("");
  const isNamed = typable(name) !== "";
  const what = isNamed ? "the key's name" : "the beginning of its id";
  const expected = typable(name) || keyId.slice(0, 8);
  return (
    <ActionDialog
      title="Delete this key?"
      submit="Delete key"
      color="red"
      disabled={typable(input) !== expected}
      action={remove}
      input={() => keyId}
      onDone={() => leaveFor(next)}
      onClose={onClose}
    >
      <p>
        This can't be undone. To confirm, type <span>{what}</span>: <strong translate="no">{expected}</strong>
      </p>
      <TextInput
        label={isNamed ? "Key name" : "Beginning of its id"}
        autoComplete="off"
        spellCheck={false}
        value={input}
        onChange={(event) => setInput(event.currentTarget.value)}
      />
    </ActionDialog>
  );
}
