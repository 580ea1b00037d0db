"use client";

import { type ChangeEvent, useRef, useState } from "react";
import { Button } from "@/components/controls/button";
import { Textarea } from "@/components/controls/field";
import { Form } from "@/components/controls/form";
import { SteadyButton } from "@/components/controls/steady-button";
import { Dialog } from "@/components/feedback/dialog";
import { Actions } from "@/components/frame/panel";
import type { ChangeResult } from "@/lib/keys/many";
import { MAX_NAMES } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { textIn } from "../files/preview";
import { bytesOnDevice, Unreadable } from "../files/request-server";
import { detectEncoding } from "../files/text-encoding";
import { useAction } from "../use-action";
import { changeMany } from "./actions";
import { ApiCall } from "./api-calls";
import { shellCommand } from "./commands";
import { EndField, isoOf } from "./holder-form";
import { type HolderChange, NameResults } from "./holders";
import styles from "./keys.module.css";

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
  const { run, busy, failure, error, errorAt, setError, clear } = useAction();
  const picker = useRef<HTMLInputElement>(null);
  const [names, setNames] = useState("");
  const [results, setResults] = useState<ChangeResult[] | null>(null);
  const isAdding = change === "add";
  const title = isAdding ? "Add many users" : "Revoke many users";

  async function submit(fields: FormData) {
    const end = isoOf(String(fields.get("end") ?? ""));
    const outcome = await run(changeMany, { keyId, names, change, end });
    if (outcome) setResults(outcome.ok);
  }

  async function pick({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const [file] = currentTarget.files ?? [];
    // The same file can be picked again, after a change.
    currentTarget.value = "";
    if (!file) return;
    if (file.size > MAX_BYTES) return setError(`This file is too large for a list of ${MAX_NAMES} usernames.`);
    clear();
    try {
      const begin = { bytes: new Uint8Array(await bytesOnDevice(file)), isCut: false };
      // Excel also writes UTF-16.
      setNames(textIn(begin, detectEncoding(begin) ?? "utf-8"));
    } catch (thrown) {
      setError(thrown instanceof Unreadable ? thrown.message : String(thrown));
    }
  }

  return (
    <Dialog opened onClose={onClose} title={title}>
      {/* Not in the form, which would take the message about a file for one about what was typed. */}
      <input
        ref={picker}
        type="file"
        hidden
        aria-label="File of usernames"
        accept=".csv,.txt,text/csv,text/plain"
        onChange={pick}
      />
      {results ? (
        <NameResults change={change} results={results} onClose={onClose} />
      ) : (
        <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.form}>
          <Textarea
            label="Usernames"
            description={`${UP_TO} Of a CSV, the first column is read.`}
            name="names"
            required
            rows={6}
            autoCapitalize="none"
            spellCheck={false}
            value={names}
            onChange={(event) => setNames(event.currentTarget.value)}
            error={errorAt("names")}
          />
          <Actions>
            <Button size="xs" variant="default" onClick={() => picker.current?.click()}>
              Read from a file
            </Button>
          </Actions>
          {isAdding && <EndField error={errorAt("end")} />}
          <ErrorNotice error={error} />
          <Actions>
            <SteadyButton type="submit" color={isAdding ? undefined : "red"} loading={busy}>
              {isAdding ? "Add users" : "Revoke users"}
            </SteadyButton>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          </Actions>
          <ApiCall
            title="One call per user, in a loop over a file of usernames"
            command={`while read -r name; do ${shellCommand(
              origin,
              isAdding ? `/keys/admin_add/${keyId}` : `/keys/revoke/${keyId}`,
              isAdding ? { key: keyId, username: "NAME" } : { user: "NAME" },
            ).replace("NAME", "$name")}; done < names.txt`}
          />
        </Form>
      )}
    </Dialog>
  );
}

/** Buttons to add many users to a key, and to revoke it from many. */
export function ManyHolders({ keyId, origin }: { keyId: string; origin: string }) {
  const [dialog, setDialog] = useState<HolderChange | null>(null);
  return (
    <>
      <Actions>
        <Button size="xs" variant="default" onClick={() => setDialog("add")}>
          Add many
        </Button>
        <Button size="xs" variant="default" onClick={() => setDialog("revoke")}>
          Revoke many
        </Button>
      </Actions>
      {dialog && <ManyDialog keyId={keyId} change={dialog} origin={origin} onClose={() => setDialog(null)} />}
    </>
  );
}
