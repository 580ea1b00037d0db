"use client";

import { type ReactNode, useState } from "react";
import { When } from "@/components/content/time";
import { Button } from "@/components/controls/button";
import { TextInput, type TextInputProps } from "@/components/controls/field";
import { Form, useFieldText } from "@/components/controls/form";
import form from "@/components/controls/form.module.css";
import { SteadyButton } from "@/components/controls/steady-button";
import { UserField } from "@/components/controls/user-field";
import { Dialog } from "@/components/feedback/dialog";
import { Notice } from "@/components/feedback/notice";
import { Actions } from "@/components/frame/panel";
import type { Added } from "@/lib/keys/grant";
import type { PageAction } from "../action";
import { ErrorNotice } from "../error-notice";
import { OfAUser } from "../names";
import { useAction } from "../use-action";
import { add, revoke } from "./actions";
import { ApiCall } from "./api-calls";
import { shellCommand } from "./commands";
import { type Holder, Holders } from "./holders";
import styles from "./keys.module.css";
import type { NewHolder } from "./read";

/** When access ends, in the viewer's time zone; empty for never. Below, the time as all pages write it. */
export function EndField({ value, onChange, ...props }: TextInputProps) {
  const [entered, setEntered] = useState("");
  const iso = isoOf(String(value ?? entered));
  return (
    <div className={styles.end}>
      <TextInput
        label="Access ends (optional)"
        name="end"
        type="datetime-local"
        step={60}
        {...props}
        value={value}
        onChange={(event) => {
          setEntered(event.currentTarget.value);
          onChange?.(event);
        }}
      />
      <small className={styles.soft}>{iso ? <When at={new Date(iso)} precise /> : <span>Never</span>}</small>
    </div>
  );
}

/** What a form's field says, as the API accepts it; undefined if it is empty. */
export function isoOf(local: string): string | undefined {
  const at = local === "" ? undefined : new Date(local);
  return at && !Number.isNaN(at.getTime()) ? at.toISOString() : undefined;
}

/** The value of such a field for this time. */
function localOf(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

type AddHolder = PageAction<NewHolder, Added>;

interface EndDialogProps {
  keyId: string;
  holder: Holder;
  add: AddHolder;
  /** How a program does the same. */
  footer: (end: string) => ReactNode;
  onClose: () => void;
  onDone: (sentence: string) => void;
}

/** Asks when a holder's access ends, also to extend one that has ended. */
function EndDialog({ keyId, holder, add, footer, onClose, onDone }: EndDialogProps) {
  const { run, busy, failure, error, errorAt, clear } = useAction();
  const user = holder.username;
  /** Without the seconds, which the field does not have. */
  const before = holder.until ? localOf(holder.until) : "";
  const [end, setEnd] = useState(before);

  async function submit() {
    if (end === before) return onDone("Nothing has changed.");
    const outcome = await run(add, { keyId, username: user, end: isoOf(end) ?? "never" });
    if (!outcome) return;
    const { added, changed } = outcome.ok;
    onDone(added || changed ? `The end date of ${user}'s access was changed.` : "Nothing has changed.");
  }

  return (
    <Dialog opened onClose={onClose} title={`When does ${user}'s access end?`}>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={styles.form}>
        <p>
          {holder.isEnded ? (
            <span>
              Access has ended: programs are told that <span translate="no">{user}</span> doesn't hold this key. A later
              end date restores it immediately.
            </span>
          ) : (
            <span>
              From then on, <span translate="no">{user}</span> can't read its secret, and programs are told that{" "}
              <span translate="no">{user}</span> doesn't hold this key.
            </span>
          )}
        </p>
        <EndField
          description="In your time zone. Empty: never."
          value={end}
          onChange={(event) => setEnd(event.currentTarget.value)}
          error={errorAt("end")}
        />
        <ErrorNotice error={error} />
        <Actions>
          <SteadyButton type="submit" loading={busy}>
            Save
          </SteadyButton>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Actions>
        {footer(isoOf(end) ?? "never")}
      </Form>
    </Dialog>
  );
}

interface HolderFormProps {
  keyId: string;
  holders: Holder[];
  /** The page's actions. */
  add: AddHolder;
  revoke: PageAction<{ keyId: string; username: string }, { user: string; revoked: boolean }>;
  /** How a program does the same; `end` is undefined for no end. */
  sameAsAdd?: (username: string, end: string | undefined) => ReactNode;
  sameAsRevoke?: (username: string) => ReactNode;
}

/** The holders on this page of the list, and a form to add one or to change when an access ends. */
export function HolderForm(props: HolderFormProps) {
  const { keyId, holders, add, revoke, sameAsAdd, sameAsRevoke } = props;
  const { run, busy, failure, error, errorAt, done, setDone, clear } = useAction();
  const { text: username, setText: setUsername, field: usernameField } = useFieldText("");
  const { text: end, setText: setEnd, field: endField } = useFieldText("");
  const [revoking, setRevoking] = useState<string | null>(null);
  const [ending, setEnding] = useState<Holder | null>(null);

  async function submit(fields: FormData) {
    const holder = { username: String(fields.get("username")), end: isoOf(String(fields.get("end"))) };
    const outcome = await run(add, { keyId, ...holder });
    if (!outcome) return;
    setUsername("");
    setEnd("");
    setDone(sentenceOf(outcome.ok));
  }

  async function revokeFrom(name: string) {
    setRevoking(name);
    const outcome = await run(revoke, { keyId, username: name });
    setRevoking(null);
    if (!outcome) return;
    const { user, revoked } = outcome.ok;
    const isEnded = holders.some((holder) => holder.username === name && holder.isEnded);
    if (revoked) setDone(`${user} no longer holds the key.`);
    else if (isEnded) setDone(`${user} is no longer on the list.`);
    else setDone(`${user} was no longer a holder.`);
    // The pressed button has disappeared, and the keyboard focus with it.
    usernameField.ref.current?.focus();
  }

  return (
    <>
      <Form onSubmit={submit} failure={failure} onEdit={clear} className={form.row}>
        <UserField label="Add a user" {...usernameField} error={errorAt("username")} />
        <EndField {...endField} error={errorAt("end")} />
        <SteadyButton type="submit" loading={busy && revoking === null} disabled={revoking !== null}>
          Add
        </SteadyButton>
      </Form>
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
      {sameAsAdd?.(username.trim() || "USERNAME", end ? (isoOf(end) ?? "UNTIL") : undefined)}
      {holders.length > 0 && (
        <Holders
          holders={holders}
          onRevoke={revokeFrom}
          onEnd={setEnding}
          revoking={revoking}
          suffixOf={(name) => <OfAUser name={name} />}
        />
      )}
      {ending && (
        <EndDialog
          keyId={keyId}
          holder={ending}
          add={add}
          footer={(next) => sameAsAdd?.(ending.username, next)}
          onClose={() => setEnding(null)}
          onDone={(sentence) => {
            clear();
            setEnding(null);
            setDone(sentence);
          }}
        />
      )}
      {sameAsRevoke?.("USERNAME")}
    </>
  );
}

function sentenceOf({ user, added, changed }: Added): string {
  if (added) return `${user} now holds the key.`;
  return changed ? `The end date of ${user}'s access was changed.` : `${user} already held the key.`;
}

/** The holders of a key that the reader manages, with the API calls that do the same. */
export function HoldersOfOwnKey({ keyId, holders, origin }: { keyId: string; holders: Holder[]; origin: string }) {
  return (
    <HolderForm
      keyId={keyId}
      holders={holders}
      add={add}
      revoke={revoke}
      sameAsAdd={(username, until) => (
        <ApiCall
          title={holders.some((holder) => holder.username === username) ? "Change the end date" : "Add a holder"}
          command={shellCommand(origin, `/keys/admin_add/${keyId}`, { key: keyId, username, ...(until && { until }) })}
        />
      )}
      sameAsRevoke={(user) => (
        <ApiCall title="Revoke a holder" command={shellCommand(origin, `/keys/revoke/${keyId}`, { user })} />
      )}
    />
  );
}
