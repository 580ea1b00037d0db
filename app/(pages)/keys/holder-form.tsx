"use client";

import { type ReactNode, useState } from "react";
import { When } from "@/components/content/time";
import { TextInput, type TextInputProps } from "@/components/controls/field";
import { useFieldText } from "@/components/controls/form";
import { SteadyButton } from "@/components/controls/steady-button";
import { UserField } from "@/components/controls/user-field";
import type { Added } from "@/lib/keys/grant";
import type { Outcome, PageAction } from "../action";
import { ActionDialog } from "../action-dialog";
import { ActionForm, Submit } from "../action-form";
import { add, revoke } from "./actions";
import { ApiCall } from "./api-calls";
import { shellCommand } from "./commands";
import { type Holder, Holders, type RevokeHolder } from "./holders";
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
}

/** Asks when a holder's access ends, also to extend one that has ended. */
function EndDialog({ keyId, holder, add, footer, onClose }: EndDialogProps) {
  const user = holder.username;
  /** Without the seconds, which the field does not have. */
  const before = holder.until ? localOf(holder.until) : "";
  const [end, setEnd] = useState(before);

  async function save(_: unknown, press: string): Promise<Outcome<boolean>> {
    if (end === before) return { ok: false };
    const outcome = await add({ keyId, username: user, end: isoOf(end) ?? "never" }, press);
    return "error" in outcome ? outcome : { ok: outcome.ok.added || outcome.ok.changed };
  }

  return (
    <ActionDialog
      title={`When does ${user}'s access end?`}
      submit="Save"
      action={save}
      done={(changed) => (changed ? `The end date of ${user}'s access was changed.` : "Nothing has changed.")}
      onClose={onClose}
      footer={footer(isoOf(end) ?? "never")}
    >
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
      />
    </ActionDialog>
  );
}

interface HolderFormProps {
  keyId: string;
  holders: Holder[];
  /** The page's actions. */
  add: AddHolder;
  revoke: RevokeHolder;
  /** How a program does the same; `end` is undefined for no end. */
  sameAsAdd?: (username: string, end: string | undefined) => ReactNode;
  sameAsRevoke?: (username: string) => ReactNode;
}

/** The holders on this page of the list, and a form to add one or to change when an access ends. */
export function HolderForm(props: HolderFormProps) {
  const { keyId, holders, add, revoke, sameAsAdd, sameAsRevoke } = props;
  const { text: username, setText: setUsername, field: usernameField } = useFieldText("");
  const { text: end, setText: setEnd, field: endField } = useFieldText("");
  const [ending, setEnding] = useState<Holder | null>(null);

  function empty() {
    setUsername("");
    setEnd("");
  }

  return (
    <>
      <ActionForm
        action={add}
        input={(text) => ({ keyId, username: text("username"), end: isoOf(text("end")) })}
        done={sentenceOf}
        onDone={empty}
        isRow
      >
        <UserField label="Add a user" {...usernameField} />
        <EndField {...endField} />
        <Submit as={SteadyButton}>Add</Submit>
      </ActionForm>
      {sameAsAdd?.(username.trim() || "USERNAME", end ? (isoOf(end) ?? "UNTIL") : undefined)}
      {holders.length > 0 && (
        <Holders
          keyId={keyId}
          holders={holders}
          revoke={revoke}
          // The pressed button has disappeared, and the keyboard focus with it.
          onRevoked={() => usernameField.ref.current?.focus()}
          onEnd={setEnding}
        />
      )}
      {ending && (
        <EndDialog
          keyId={keyId}
          holder={ending}
          add={add}
          footer={(next) => sameAsAdd?.(ending.username, next)}
          onClose={() => setEnding(null)}
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
