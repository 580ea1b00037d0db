"use client";

import { useState } from "react";
import { KeyName, mostDecimals, Price } from "@/components/content/key-name";
import { DataTable, SelectionBar, SortHead, type Sorting } from "@/components/content/table";
import tableStyles from "@/components/content/table.module.css";
import { When } from "@/components/content/time";
import { Button } from "@/components/controls/button";
import { SelectAll, SelectKey } from "@/components/controls/checkbox";
import { Actions } from "@/components/frame/panel";
import { counted } from "@/lib/platform/bounds";
import { ActionDialog, DialogButton } from "../action-dialog";
import { leaveFor, type Work } from "../action-form";
import { OfAUser } from "../names";
import { leave } from "./actions";
import { ApiCall } from "./api-calls";
import { BlockDialog } from "./blocked-panel";
import { shellCommand } from "./commands";
import styles from "./keys.module.css";

/** A key of somebody else that the viewer holds. */
export interface ReceivedKey {
  id: string;
  name: string;
  price: string;
  creator: string;
  since: Date;
  /** How many keys of the same creator the viewer holds. */
  ofCreator: number | null;
}

interface ReceivedKeysProps {
  keys: ReceivedKey[];
  sorting: Sorting;
  /** Usernames of blocked givers. */
  blocked: string[];
  chosen: string[];
  onChoose: (ids: string[]) => void;
  onBlock: (key: ReceivedKey) => void;
}

/** The keys that others gave the viewer; each can be selected, and its giver blocked. */
function ReceivedKeys({ keys, sorting, blocked, chosen, onChoose, onBlock }: ReceivedKeysProps) {
  const decimals = mostDecimals(keys);
  return (
    <DataTable className={tableStyles.table} aria-label="Keys from others">
      <thead>
        <tr>
          <th className={tableStyles.action}>
            <SelectAll ids={keys.map(({ id }) => id)} chosen={chosen} onChoose={onChoose} />
          </th>
          <SortHead sorting={sorting} column="name" label="Key" />
          <SortHead sorting={sorting} column="creator" label="Created by" />
          <SortHead
            sorting={sorting}
            column="price"
            label="Price"
            className={`${tableStyles.number} ${tableStyles.wide}`}
          />
          <SortHead
            sorting={sorting}
            column="since"
            label="Yours since"
            className={`${tableStyles.number} ${tableStyles.wide}`}
          />
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => {
          const { id, name, price, creator, since } = key;
          return (
            <tr key={id} className={chosen.includes(id) ? tableStyles.selected : undefined}>
              <td className={tableStyles.action}>
                <SelectKey id={id} chosen={chosen} onChoose={onChoose} />
              </td>
              <th scope="row">
                <KeyName id={id} name={name} />
              </th>
              <td className={tableStyles.person}>
                <span translate="no">{creator}</span>
                <OfAUser name={creator} />{" "}
                {blocked.includes(creator) ? (
                  <span className={tableStyles.soft}>(blocked)</span>
                ) : (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={`Block ${creator}`}
                    onClick={() => onBlock(key)}
                  >
                    Block
                  </Button>
                )}
              </td>
              <td className={`${tableStyles.number} ${tableStyles.wide}`}>
                <Price price={price} decimals={decimals} />
              </td>
              <td className={`${tableStyles.number} ${tableStyles.wide}`}>
                <When at={since} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </DataTable>
  );
}

interface LeaveDialogProps extends Pick<Work<string[], number>, "done" | "onDone"> {
  keys: { id: string; name: string; creator: string }[];
  username: string;
  origin: string;
  onClose: () => void;
}

/** Asks before leaving keys of others: only their managers can undo it. */
function LeaveDialog({ keys, username, origin, ...dialog }: LeaveDialogProps) {
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
          command={keys.map(({ id }) => shellCommand(origin, `/keys/revoke/${id}`, { user: username })).join("\n")}
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
            <span>{name || <i>Unnamed key</i>}</span> <span className={styles.soft}>{`from ${creator}`}</span>
          </li>
        ))}
      </ul>
    </ActionDialog>
  );
}

/** Leaves one key of somebody else, and goes to the remaining ones. */
export function LeaveKey({
  held,
  username,
  origin,
}: {
  held: { id: string; name: string; creator: string };
  username: string;
  origin: string;
}) {
  return (
    <Actions>
      <DialogButton
        dialog={(close) => (
          <LeaveDialog
            keys={[held]}
            username={username}
            origin={origin}
            onClose={close}
            onDone={() => leaveFor("/keys?list=given")}
          />
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
  origin: string;
}

/** The keys from others. The caller can leave several at a time, or all of one giver who is then blocked. */
export function LeaveKeys({ keys, sorting, blocked, username, origin }: LeaveKeysProps) {
  const [ticked, setTicked] = useState<string[]>([]);
  const [isLeaving, setLeaving] = useState(false);
  const [blocking, setBlocking] = useState<ReceivedKey | null>(null);
  const chosen = keys.filter(({ id }) => ticked.includes(id));
  const clear = () => setTicked([]);
  return (
    <>
      {keys.length > 0 && (
        <ReceivedKeys
          keys={keys}
          sorting={sorting}
          blocked={blocked}
          chosen={chosen.map(({ id }) => id)}
          onChoose={setTicked}
          onBlock={setBlocking}
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
          origin={origin}
          done={(left) => `You left ${counted(left, "key", "keys")}.`}
          onDone={clear}
          onClose={() => setLeaving(false)}
        />
      )}
    </>
  );
}
