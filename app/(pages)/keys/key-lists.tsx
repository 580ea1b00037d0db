"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/buttons";
import { Checkbox } from "@/components/checkbox";
import { KeyName, mostDecimals, Price } from "@/components/content";
import { Actions } from "@/components/page";
import { DataTable, SelectAll, SelectionBar, SortHead, type Sorting } from "@/components/table";
import table from "@/components/table.module.css";
import { When } from "@/components/time";
import { counted } from "@/lib/platform/bounds";
import { ApiCall } from "../_keys/api-calls";
import styles from "../_keys/keys.module.css";
import { useProvenDownload } from "../_signing-in/identity-prompt";
import { ActionDialog, DialogButton } from "../action-dialog";
import type { Work } from "../action-form";
import { ErrorNotice } from "../error-notice";
import { OfAUser } from "../names";
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

interface KeyTableProps<Key> {
  label: string;
  keys: Key[];
  /** Ids of the selected keys. */
  chosen: string[];
  onChoose: (ids: string[]) => void;
  /** The heads of the columns beside the selection. */
  heads: ReactNode;
  /** What a row has in the columns after the key's. */
  children: (key: Key) => ReactNode;
}

/** Keys, a row each, which can be selected. */
function KeyTable<Key extends { id: string; name: string }>(props: KeyTableProps<Key>) {
  const { label, keys, chosen, onChoose, heads, children } = props;
  return (
    <DataTable className={table.table} aria-label={label}>
      <thead>
        <tr>
          <th className={table.action}>
            <SelectAll ids={keys.map(({ id }) => id)} chosen={chosen} onChoose={onChoose} />
          </th>
          {heads}
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => {
          const isChosen = chosen.includes(key.id);
          return (
            <tr key={key.id} className={isChosen ? table.selected : undefined}>
              <td className={table.action}>
                <Checkbox
                  aria-label="Select"
                  checked={isChosen}
                  onChange={() => onChoose(isChosen ? chosen.filter((id) => id !== key.id) : [...chosen, key.id])}
                />
              </td>
              <th scope="row">
                <KeyName id={key.id} name={key.name} />
              </th>
              {children(key)}
            </tr>
          );
        })}
      </tbody>
    </DataTable>
  );
}

const LAST = `${table.number} ${table.wide}`;

interface CreatedKey {
  id: string;
  name: string;
  price: string;
  since: Date;
  holders: number | null;
}

/** The keys that the caller created. A user can be added to several at a time, or revoked from them. */
export function CreatedKeys({ keys, sorting }: { keys: CreatedKey[]; sorting: Sorting }) {
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
      <KeyTable
        label="Keys you created"
        keys={keys}
        chosen={chosen.map(({ id }) => id)}
        onChoose={setTicked}
        heads={
          <>
            <SortHead sorting={sorting} column="name" label="Key" />
            <SortHead sorting={sorting} column="price" label="Price" className={table.number} />
            <SortHead sorting={sorting} column="holders" label="Holders" className={table.number} />
            <SortHead sorting={sorting} column="since" label="Created" className={LAST} />
          </>
        }
      >
        {({ price, since, holders }) => (
          <>
            <td className={table.number}>
              <Price price={price} decimals={decimals} />
            </td>
            <td className={table.number}>{holders?.toLocaleString("en")}</td>
            <td className={LAST}>
              <When at={since} />
            </td>
          </>
        )}
      </KeyTable>
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

/** A key of somebody else that the viewer holds. */
interface ReceivedKey {
  id: string;
  name: string;
  price: string;
  creator: string;
  since: Date;
  /** How many keys of the same creator the viewer holds. */
  ofCreator: number | null;
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
  keys: ReceivedKey[];
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
  const [blocking, setBlocking] = useState<ReceivedKey | null>(null);
  const chosen = keys.filter(({ id }) => ticked.includes(id));
  const clear = () => setTicked([]);
  return (
    <>
      {keys.length > 0 && (
        <KeyTable
          label="Keys from others"
          keys={keys}
          chosen={chosen.map(({ id }) => id)}
          onChoose={setTicked}
          heads={
            <>
              <SortHead sorting={sorting} column="name" label="Key" />
              <SortHead sorting={sorting} column="creator" label="Created by" />
              <SortHead sorting={sorting} column="price" label="Price" className={LAST} />
              <SortHead sorting={sorting} column="since" label="Yours since" className={LAST} />
            </>
          }
        >
          {(key) => (
            <>
              <td className={table.person}>
                <span translate="no">{key.creator}</span>
                <OfAUser name={key.creator} />{" "}
                {blocked.includes(key.creator) ? (
                  <span className="soft">(blocked)</span>
                ) : (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={`Block ${key.creator}`}
                    onClick={() => setBlocking(key)}
                  >
                    Block
                  </Button>
                )}
              </td>
              <td className={LAST}>
                <Price price={key.price} decimals={decimals} />
              </td>
              <td className={LAST}>
                <When at={key.since} />
              </td>
            </>
          )}
        </KeyTable>
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
