"use client";

import { type ChangeEvent, type ReactNode, useRef, useState } from "react";
import { Button } from "@/components/buttons";
import { Notice } from "@/components/feedback";
import { Textarea, UserField } from "@/components/form";
import { Actions } from "@/components/page";
import type { ListedHolder } from "@/lib/keys/list";
import type { ChangeResult } from "@/lib/keys/many";
import { counted, MAX_NAMES } from "@/lib/platform/bounds";
import { ApiCall, type ApiRequest } from "../_keys/api-calls";
import { EndField, HolderForm, isoOf } from "../_keys/holders";
import styles from "../_keys/keys.module.css";
import { ActionDialog, DialogButton } from "../action-dialog";
import { bytesOnDevice, detectEncoding, textIn, Unreadable } from "../file-text";
import { add, addToKeys, changeMany, revoke, revokeFromKeys } from "./actions";

export type HolderChange = "add" | "revoke";

/** How many were changed, as “2 of 3 keys”. */
const changedOf = (results: ChangeResult[], one: string, many: string) =>
  `${results.filter(({ changed }) => changed).length} of ${counted(results.length, one, many)}`;

interface ChangeResultsProps {
  change: HolderChange;
  results: ChangeResult[];
  nameOf: (item: string) => ReactNode;
  onClose: () => void;
  /** What was done to all. */
  children: ReactNode;
}

/** What became of each of many keys or users: those that were refused first. */
function ChangeResults({ change, results, nameOf, onClose, children }: ChangeResultsProps) {
  const [done, unchanged] = change === "add" ? ["Added", "Already held it"] : ["Access revoked", "Didn't hold it"];
  const sorted = [...results.filter(({ error }) => error), ...results.filter(({ error }) => !error)];
  return (
    <>
      <p role="status">{children}</p>
      <ul className={styles.names}>
        {sorted.map(({ item, changed, error }) => (
          <li key={item}>
            {nameOf(item)}{" "}
            <span className={error ? styles.refused : "soft"}>{error ?? (changed ? done : unchanged)}</span>
          </li>
        ))}
      </ul>
      <Actions>
        {/* The pressed button has disappeared, and the keyboard focus with it. */}
        <Button autoFocus onClick={onClose}>
          Done
        </Button>
      </Actions>
    </>
  );
}

interface HolderDialogProps {
  change: HolderChange;
  keys: { id: string; name: string }[];
  /** `isDone`: keys were changed. */
  onClose: (isDone: boolean) => void;
}

/** Asks which user to add to several keys, or to revoke from them, and then shows what became of each key. */
export function HolderDialog({ change, keys: selected, onClose }: HolderDialogProps) {
  const [keys] = useState(selected);
  const [username, setUsername] = useState("");
  const [isDone, setDone] = useState(false);
  const ofKeys = counted(keys.length, "key", "keys");
  const isAdding = change === "add";
  const close = () => onClose(isDone);
  const [them, their, secret] = keys.length === 1 ? ["it", "its", "secret"] : ["them", "their", "secrets"];
  return (
    <ActionDialog
      title={isAdding ? `Add a user to ${ofKeys}` : `Revoke a user from ${ofKeys}`}
      submit={isAdding ? `Add to ${ofKeys}` : `Revoke from ${ofKeys}`}
      color={isAdding ? undefined : "red"}
      action={isAdding ? addToKeys : revokeFromKeys}
      input={{ keyIds: keys.map(({ id }) => id) }}
      onDone={() => setDone(true)}
      shows={({ user, results }) => (
        <ChangeResults
          change={change}
          results={results}
          nameOf={(id) => (
            <>
              <KeyLabel id={id} name={keys.find((key) => key.id === id)?.name} />
              <br />
            </>
          )}
          onClose={close}
        >
          <strong translate="no">{user}</strong>{" "}
          <span>{`${isAdding ? "was added" : "lost access"} to ${changedOf(results, "key", "keys")}.`}</span>
        </ChangeResults>
      )}
      onClose={close}
      footer={
        <ApiCall
          title={isAdding ? "Add the user" : "Revoke the user"}
          requests={keys.map(({ id }) => requestOf(change, id, username.trim() || "USERNAME"))}
        />
      }
    >
      <p>
        {isAdding
          ? `Holders can read ${their} ${secret}, and programs are told that they hold ${them}.`
          : `The user will no longer be able to read ${their} ${secret}. You can add them again.`}
      </p>
      <ul className={styles.names}>
        {keys.map(({ id, name }) => (
          <li key={id}>
            <KeyLabel id={id} name={name} />
          </li>
        ))}
      </ul>
      <UserField
        label="Username"
        placeholder={undefined}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
    </ActionDialog>
  );
}

function KeyLabel({ id, name }: { id: string; name?: string }) {
  return (
    <>
      <span>{name || <i>Unnamed key</i>}</span>{" "}
      <code translate="no" className="soft">
        {id.slice(0, 8)}
      </code>
    </>
  );
}

/** The request of the API that makes this change of a key. */
function requestOf(change: HolderChange, id: string, user: string): ApiRequest {
  return change === "add" ? [`/keys/admin_add/${id}`, { key: id, username: user }] : [`/keys/revoke/${id}`, { user }];
}

/** Files that are larger hold no list of names that one request may have. */
const MAX_BYTES = 100_000;
const UP_TO = `Up to ${MAX_NAMES}, separated by commas or one per line.`;

interface ManyDialogProps {
  keyId: string;
  change: HolderChange;
  onClose: () => void;
}

/** Asks for a list of users to add to a key, or to revoke it from, and then shows what became of each. */
function ManyDialog({ keyId, change, onClose }: ManyDialogProps) {
  const [unread, setUnread] = useState("");
  const picker = useRef<HTMLInputElement>(null);
  const [names, setNames] = useState("");
  const isAdding = change === "add";

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
    <ActionDialog
      title={isAdding ? "Add many users" : "Revoke many users"}
      submit={isAdding ? "Add users" : "Revoke users"}
      color={isAdding ? undefined : "red"}
      action={changeMany}
      input={(text) => ({ keyId, names, change, end: isoOf(text("end")) })}
      isAboutAll
      shows={(results) => (
        <ChangeResults
          change={change}
          results={results}
          nameOf={(name) => <span translate="no">{name}</span>}
          onClose={onClose}
        >
          {`${changedOf(results, "user", "users")} ${isAdding ? "got" : "lost"} access.`}
        </ChangeResults>
      )}
      onClose={onClose}
      footer={
        <ApiCall
          title="One call per user, in a loop over a file of usernames"
          requests={[requestOf(change, keyId, "NAME")]}
          around={(call) => `while read -r name; do ${call.replace("NAME", "$name")}; done < names.txt`}
        />
      }
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
    </ActionDialog>
  );
}

/** The holders of a key that the reader manages, with buttons to add many users to it, and to revoke it from many. */
export function OwnHolders({ keyId, holders }: { keyId: string; holders: ListedHolder[] }) {
  return (
    <>
      <HolderForm keyId={keyId} holders={holders} add={add} revoke={revoke} />
      <Actions>
        <DialogButton size="xs" dialog={(close) => <ManyDialog keyId={keyId} change="add" onClose={close} />}>
          Add many
        </DialogButton>
        <DialogButton size="xs" dialog={(close) => <ManyDialog keyId={keyId} change="revoke" onClose={close} />}>
          Revoke many
        </DialogButton>
      </Actions>
    </>
  );
}
