"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/buttons";
import { TextInput, type TextInputProps, UserField, useFieldText } from "@/components/form";
import { SteadyButton } from "@/components/steady-button";
import { DataTable } from "@/components/table";
import tableStyles from "@/components/table.module.css";
import { When } from "@/components/time";
import type { Added } from "@/lib/keys/grant";
import type { ListedHolder } from "@/lib/keys/list";
import type { Outcome, PageAction } from "../action";
import { ActionDialog } from "../action-dialog";
import { ActionButton, ActionError, ActionForm, ActionGroup, Submit } from "../action-form";
import { Person } from "../names";
import { ApiCall } from "./api-calls";
import type { NewHolder } from "./input";

/** When access ends, in the viewer's time zone; empty for never. Below, the time as all pages write it. */
export function EndField({ value, onChange, ...props }: TextInputProps) {
  const [entered, setEntered] = useState("");
  const iso = isoOf(String(value ?? entered));
  return (
    <div>
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
      <small className="soft">{iso ? <When at={new Date(iso)} precise /> : <span>Never</span>}</small>
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
  holder: ListedHolder;
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
  holders: ListedHolder[];
  /** The page's actions. */
  add: AddHolder;
  revoke: RevokeHolder;
}

/** The holders on this page of the list, and a form to add one or to change when an access ends. */
export function HolderForm({ keyId, holders, add, revoke }: HolderFormProps) {
  const { text: username, setText: setUsername, field: usernameField } = useFieldText("");
  const { text: end, setText: setEnd, field: endField } = useFieldText("");
  const [ending, setEnding] = useState<ListedHolder | null>(null);

  function empty() {
    setUsername("");
    setEnd("");
  }

  const sameAsAdd = (user: string, until?: string) => (
    <ApiCall
      title={holders.some((holder) => holder.username === user) ? "Change the end date" : "Add a holder"}
      requests={[[`/keys/admin_add/${keyId}`, { key: keyId, username: user, ...(until && { until }) }]]}
    />
  );
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
      {sameAsAdd(username.trim() || "USERNAME", end ? (isoOf(end) ?? "UNTIL") : undefined)}
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
          footer={(next) => sameAsAdd(ending.username, next)}
          onClose={() => setEnding(null)}
        />
      )}
      <ApiCall title="Revoke a holder" requests={[[`/keys/revoke/${keyId}`, { user: "USERNAME" }]]} />
    </>
  );
}

function sentenceOf({ user, added, changed }: Added): string {
  if (added) return `${user} now holds the key.`;
  return changed ? `The end date of ${user}'s access was changed.` : `${user} already held the key.`;
}

type RevokeHolder = PageAction<{ keyId: string; username: string }, { user: string; revoked: boolean }>;

interface HoldersProps {
  keyId: string;
  holders: ListedHolder[];
  revoke: RevokeHolder;
  onRevoked: () => void;
  /** Asks when the access ends. */
  onEnd: (holder: ListedHolder) => void;
}

/**
 * The holders of a key, and those whose access has ended, each but the creator with buttons to change the end and to
 * revoke it.
 */
function Holders({ holders, ...actions }: HoldersProps) {
  return (
    <ActionGroup>
      <DataTable
        label="Holders"
        rows={holders}
        keyOf={({ username }) => username}
        columns={{
          user: { head: "User", looks: "person", cell: ({ username }) => <Person name={username} /> },
          since: { head: "Since", looks: "wide", cell: ({ since }) => <When at={since} /> },
          end: { head: "Access ends", looks: "ends", cell: End },
          actions: { looks: "action", cell: (holder) => <HolderButtons holder={holder} {...actions} /> },
        }}
      />
      <ActionError />
    </ActionGroup>
  );
}

function End({ until, isEnded }: ListedHolder) {
  if (until === null) return <span className="soft">Never</span>;
  return isEnded ? (
    <span className={tableStyles.ended}>
      Ended <When at={until} precise />
    </span>
  ) : (
    <When at={until} precise />
  );
}

interface HolderButtonsProps extends Omit<HoldersProps, "holders"> {
  holder: ListedHolder;
}

function HolderButtons({ keyId, holder, revoke, onRevoked, onEnd }: HolderButtonsProps) {
  const { username, isEnded } = holder;
  if (holder.isCreator) return <span className="soft">Creator</span>;
  return (
    <span className={tableStyles.buttons}>
      <Button
        variant="default"
        size="xs"
        aria-label={isEnded ? `Extend the access of ${username}` : `Change end of access of ${username}`}
        onClick={() => onEnd(holder)}
      >
        {isEnded ? "Extend" : "Change end"}
      </Button>
      <ActionButton
        as={SteadyButton}
        size="xs"
        aria-label={isEnded ? `Remove ${username} from the list` : `Revoke ${username}`}
        action={revoke}
        input={{ keyId, username }}
        done={({ user, revoked }) => {
          if (revoked) return `${user} no longer holds the key.`;
          return isEnded ? `${user} is no longer on the list.` : `${user} was no longer a holder.`;
        }}
        onDone={onRevoked}
      >
        {isEnded ? "Remove" : "Revoke"}
      </ActionButton>
    </span>
  );
}
