"use client";

import { type ChangeEvent, useRef, useState } from "react";
import { Button } from "@/components/controls/button";
import { Textarea } from "@/components/controls/field";
import { SteadyButton } from "@/components/controls/steady-button";
import { Dialog } from "@/components/feedback/dialog";
import { Notice } from "@/components/feedback/notice";
import { Actions } from "@/components/frame/panel";
import type { ChangeResult } from "@/lib/keys/many";
import { MAX_NAMES } from "@/lib/platform/bounds";
import { DialogButton } from "../action-dialog";
import { ActionForm, Submit } from "../action-form";
import { textIn } from "../files/preview";
import { bytesOnDevice, Unreadable } from "../files/request-server";
import { detectEncoding } from "../files/text-encoding";
import { changeMany } from "./actions";
import { ApiCall } from "./api-calls";
import { shellCommand } from "./commands";
import { EndField, isoOf } from "./holder-form";
import { ChangeResults, changedOf, type HolderChange } from "./holders";

/** Files that are larger hold no list of names that one request may have. */
const MAX_BYTES = 100_000;
const UP_TO = `Up to ${MAX_NAMES}, separated by commas or one per line.`;

interface ManyDialogProps {
  keyId: string;
  change: HolderChange;
  origin: string;
  onClose: () => void;
}

/** Asks for a list of users to add to a key, or to revoke it from, and then shows what became of each. */
function ManyDialog({ keyId, change, origin, onClose }: ManyDialogProps) {
  const [unread, setUnread] = useState("");
  const picker = useRef<HTMLInputElement>(null);
  const [names, setNames] = useState("");
  const [results, setResults] = useState<ChangeResult[] | null>(null);
  const isAdding = change === "add";
  const title = isAdding ? "Add many users" : "Revoke many users";

  async function pick({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [file] = currentTarget.files ?? [];
    // The same file can be picked again, after a change.
    currentTarget.value = "";
    if (!file) return;
    if (file.size > MAX_BYTES) return setUnread(`This file is too large for a list of ${MAX_NAMES} usernames.`);
    setUnread("");
    try {
      const begin = { bytes: new Uint8Array(await bytesOnDevice(file)), isCut: false };
      // Excel also writes UTF-16.
      setNames(textIn(begin, detectEncoding(begin) ?? "utf-8"));
    } catch (thrown) {
      setUnread(thrown instanceof Unreadable ? thrown.message : String(thrown));
    }
  }

  return (
    <Dialog onClose={onClose} title={title}>
      {results ? (
        <ChangeResults
          change={change}
          results={results}
          nameOf={(name) => <span translate="no">{name}</span>}
          onClose={onClose}
        >
          {`${changedOf(results, "user", "users")} ${isAdding ? "got" : "lost"} access.`}
        </ChangeResults>
      ) : (
        <ActionForm
          action={changeMany}
          input={(text) => ({ keyId, names, change, end: isoOf(text("end")) })}
          onDone={setResults}
          isAboutAll
        >
          <input
            ref={picker}
            type="file"
            hidden
            aria-label="File of usernames"
            accept=".csv,.txt,text/csv,text/plain"
            onChange={pick}
          />
          <Textarea
            label="Usernames"
            description={`${UP_TO} Of a CSV, the first column is read.`}
            name="names"
            required
            rows={6}
            autoCapitalize="none"
            spellCheck={false}
            value={names}
            onChange={(event) => {
              setUnread("");
              setNames(event.currentTarget.value);
            }}
          />
          <Actions>
            <Button size="xs" variant="default" onClick={() => picker.current?.click()}>
              Read from a file
            </Button>
          </Actions>
          <Notice kind="error">{unread}</Notice>
          {isAdding && <EndField />}
          <Submit as={SteadyButton} color={isAdding ? undefined : "red"} cancel={onClose}>
            {isAdding ? "Add users" : "Revoke users"}
          </Submit>
          <ApiCall
            title="One call per user, in a loop over a file of usernames"
            command={`while read -r name; do ${shellCommand(
              origin,
              isAdding ? `/keys/admin_add/${keyId}` : `/keys/revoke/${keyId}`,
              isAdding ? { key: keyId, username: "NAME" } : { user: "NAME" },
            ).replace("NAME", "$name")}; done < names.txt`}
          />
        </ActionForm>
      )}
    </Dialog>
  );
}

/** Buttons to add many users to a key, and to revoke it from many. */
export function ManyHolders(key: { keyId: string; origin: string }) {
  return (
    <Actions>
      <DialogButton size="xs" dialog={(close) => <ManyDialog {...key} change="add" onClose={close} />}>
        Add many
      </DialogButton>
      <DialogButton size="xs" dialog={(close) => <ManyDialog {...key} change="revoke" onClose={close} />}>
        Revoke many
      </DialogButton>
    </Actions>
  );
}
