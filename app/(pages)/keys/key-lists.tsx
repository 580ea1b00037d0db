"use client";

import { useState } from "react";
import { Button } from "@/components/buttons";
import { KeyName, mostDecimals, Price } from "@/components/content";
import { Actions } from "@/components/page";
import { DataTable, SelectionBar, type Sorting } from "@/components/table";
import { When } from "@/components/time";
import type { KeySummary } from "@/lib/keys/list";
import { counted } from "@/lib/platform/bounds";
import { ApiCall } from "../_keys/api-calls";
import styles from "../_keys/keys.module.css";
import { useProvenDownload } from "../_signing-in/identity-prompt";
import { ActionDialog, DialogButton } from "../action-dialog";
import type { Work } from "../action-form";
import { ErrorNotice } from "../error-notice";
import { Person } from "../names";
import { leaveFor } from "../use-action";
import { leave } from "./actions";
import { BlockDialog } from "./blocked-panel";
import { type HolderChange, HolderDialog } from "./many-holders";

/** The link to a list of keys as a file. The user may have to confirm who they are first. */
export function CsvLink({ href }: { href: string }) {
  const { confirmFirst, error } = useProvenDownload();
  return (
    <>
      <a href={href} download onClick={confirmFirst}>
        Download as CSV
      </a>
      <ErrorNotice error={error} />
    </>
  );
}

/** The keys that the caller created. A user can be added to several at a time, or revoked from them. */
export function CreatedKeys({ keys, sorting }: { keys: KeySummary[]; sorting: Sorting }) {
  const decimals = mostDecimals(keys);
  const [ticked, setTicked] = useState<string[]>([]);
  const [dialog, setDialog] = useState<HolderChange | null>(null);
  const chosen = keys.filter(({ id }) => ticked.includes(id));

  function close(isDone: boolean) {
    setDialog(null);
    if (isDone) setTicked([]);
  }

  return (
    <>
      <DataTable
        label="Keys you created"
        rows={keys}
        keyOf={({ id }) => id}
        sorting={sorting}
        selection={{ chosen: chosen.map(({ id }) => id), onChoose: setTicked }}
        columns={{
          name: { head: "Key", isName: true, cell: ({ id, name }) => <KeyName id={id} name={name} /> },
          price: { head: "Price", looks: "number", cell: ({ price }) => <Price price={price} decimals={decimals} /> },
          holders: { head: "Holders", looks: "number", cell: ({ holders }) => holders?.toLocaleString("en") },
          since: { head: "Created", looks: "number wide", cell: ({ since }) => <When at={since} /> },
        }}
      />
      {chosen.length > 0 && (
        <SelectionBar count={chosen.length} onClear={() => setTicked([])}>
          <Button size="sm" onClick={() => setDialog("add")}>
            Add a user
          </Button>
          <Button size="sm" variant="default" onClick={() => setDialog("revoke")}>
            Revoke a user
          </Button>
        </SelectionBar>
      )}
      {dialog && <HolderDialog change={dialog} keys={chosen} onClose={close} />}
    </>
  );
}

interface LeaveDialogProps extends Pick<Work<string[], number>, "done" | "onDone"> {
  keys: { id: string; name: string; creator: string }[];
  username: string;
  onClose: () => void;
}

/** Asks before leaving keys of others: only their managers can undo it. */
function LeaveDialog({ keys, username, ...dialog }: LeaveDialogProps) {
  const isOne = keys.length === 1;
  return (
    <ActionDialog
      title={isOne ? "Leave this key?" : `Leave these ${keys.length} keys?`}
      submit="Leave"
      color="red"
      action={leave}
      input={() => keys.map(({ id }) => id)}
      {...dialog}
      footer={
        <ApiCall
          title={isOne ? "Leave the key" : "Leave the keys"}
          requests={keys.map(({ id }) => [`/keys/revoke/${id}`, { user: username }])}
        />
      }
    >
      <p>
        You will no longer be able to read the secret, and programs will be told that you are not a holder. Only{" "}
        <span>{isOne ? keys[0]?.creator : "their creators"}</span> can add you again.
      </p>
      <ul className={styles.names}>
        {keys.map(({ id, name, creator }) => (
          <li key={id}>
            <span>{name || <i>Unnamed key</i>}</span> <span className="soft">{`from ${creator}`}</span>
          </li>
        ))}
      </ul>
    </ActionDialog>
  );
}

/** Leaves one key of somebody else, and goes to the remaining ones. */
export function LeaveKey({ held, username }: { held: LeaveDialogProps["keys"][number]; username: string }) {
  return (
    <Actions>
      <DialogButton
        dialog={(close) => (
          <LeaveDialog keys={[held]} username={username} onClose={close} onDone={() => leaveFor("/keys?list=given")} />
        )}
      >
        Leave
      </DialogButton>
    </Actions>
  );
}

interface LeaveKeysProps {
  keys: KeySummary[];
  sorting: Sorting;
  /** Usernames of blocked givers. */
  blocked: string[];
  username: string;
}

/** The keys from others. The caller can leave several at a time, or all of one giver who is then blocked. */
export function LeaveKeys({ keys, sorting, blocked, username }: LeaveKeysProps) {
  const decimals = mostDecimals(keys);
  const [ticked, setTicked] = useState<string[]>([]);
  const [isLeaving, setLeaving] = useState(false);
  const [blocking, setBlocking] = useState<KeySummary | null>(null);
  const chosen = keys.filter(({ id }) => ticked.includes(id));
  const clear = () => setTicked([]);

  const giver = (key: KeySummary) => (
    <>
      <Person name={key.creator} />{" "}
      {blocked.includes(key.creator) ? (
        <span className="soft">(blocked)</span>
      ) : (
        <Button size="compact-xs" variant="subtle" aria-label={`Block ${key.creator}`} onClick={() => setBlocking(key)}>
          Block
        </Button>
      )}
    </>
  );
  return (
    <>
      {keys.length > 0 && (
        <DataTable
          label="Keys from others"
          rows={keys}
          keyOf={({ id }) => id}
          sorting={sorting}
          selection={{ chosen: chosen.map(({ id }) => id), onChoose: setTicked }}
          columns={{
            name: { head: "Key", isName: true, cell: ({ id, name }) => <KeyName id={id} name={name} /> },
            creator: { head: "Created by", looks: "person", cell: giver },
            price: {
              head: "Price",
              looks: "number wide",
              cell: ({ price }) => <Price price={price} decimals={decimals} />,
            },
            since: { head: "Yours since", looks: "number wide", cell: ({ since }) => <When at={since} /> },
          }}
        />
      )}
      {chosen.length > 0 && (
        <SelectionBar count={chosen.length} onClear={clear}>
          <Button size="sm" onClick={() => setLeaving(true)}>
            {`Leave ${counted(chosen.length, "key", "keys")}`}
          </Button>
        </SelectionBar>
      )}
      {blocking && <BlockDialog of={blocking} onClose={() => setBlocking(null)} onDone={clear} />}
      {isLeaving && (
        <LeaveDialog
          keys={chosen}
          username={username}
          done={(left) => `You left ${counted(left, "key", "keys")}.`}
          onDone={clear}
          onClose={() => setLeaving(false)}
        />
      )}
    </>
  );
}
