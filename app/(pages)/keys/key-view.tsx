import { CopyButton } from "@/components/copy-button";
import { Fact, Facts } from "@/components/facts";
import { ApiCall, ApiCalls, ApiSwitch } from "@/components/keys/api-calls";
import { Price } from "@/components/keys/price";
import { Panel } from "@/components/panel";
import { When } from "@/components/when";
import type { Caller } from "@/lib/accounts/user";
import { endedFor, findKey, manages } from "@/lib/keys/access";
import { offerOf } from "@/lib/keys/offers";
import type { KeyRow } from "@/lib/keys/queries";
import { ApiError } from "@/lib/platform/errors";
import { OfAUser } from "../of-a-user";
import { remove } from "./actions";
import { ClaimsPanel } from "./claims-panel";
import { DataPanel } from "./data-panel";
import { DeleteKey } from "./delete-key";
import { DeletedKey } from "./deleted-key";
import { HandOver } from "./hand-over";
import { HistoryPanel } from "./history-panel";
import { HoldersPanel } from "./holders-panel";
import styles from "./keys.module.css";
import { LeaveKey } from "./leave-key";
import { SettingsForm } from "./settings-form";
import { shellCommand } from "./shell-command";

interface KeyViewProps {
  caller: Caller;
  keyId: string;
  sent: Record<string, string>;
  origin: string;
}

/** One key: public fields, data for holders, and all actions for its manager. */
export async function KeyView({ caller, keyId, sent, origin }: KeyViewProps) {
  const row = await found(caller, keyId);
  if (!row) return <DeletedKey caller={caller} keyId={keyId} sent={sent} />;
  const managed = manages(caller, row);
  const holds = row.since !== null;
  const ended = holds || managed ? null : await endedFor(caller, row.id);

  return (
    <ApiCalls>
      <div className={styles.page}>
        <KeyHead row={row} hasCalls={holds || managed} />
        {!holds && !managed && (
          <Panel title="You don't hold this key">
            <p className={styles.soft}>
              <span>
                {ended && (
                  <span>
                    Your access ended on <When at={ended} precise />.{" "}
                  </span>
                )}
              </span>
              Only holders can see its data. <span translate="no">{row.creator}</span> created it and can{" "}
              <span>{ended ? "extend it" : "add you"}</span>. Your username is{" "}
              <strong translate="no">{caller.username}</strong>.
            </p>
          </Panel>
        )}
        {(holds || managed) && (
          <Panel title="Data">
            <DataPanel
              keyId={row.id}
              holds={holds}
              changeable={managed}
              getCommand={shellCommand(origin, `/keys/get/${row.id}`)}
              updateCommand={shellCommand(origin, `/keys/update/${row.id}`, { key: "data", data: "DATA" })}
            />
          </Panel>
        )}
        {managed && (
          <>
            <HoldersPanel caller={caller} row={row} sent={sent} origin={origin} />
            <ClaimsPanel caller={caller} row={row} sent={sent} />
            <HistoryPanel caller={caller} row={row} sent={sent} />
            <Panel title="Settings">
              <SettingsForm keyId={row.id} name={row.name} price={row.price} origin={origin} />
              {row.creatorId === caller.id && (
                <div className={styles.ending}>
                  <h3>Hand this key over</h3>
                  <HandOver keyId={row.id} offer={await offerOf(row.id)} />
                </div>
              )}
              <div className={styles.ending}>
                <h3>Delete this key</h3>
                <p className={styles.soft}>Everyone loses access and its data is erased. You keep the history.</p>
                <DeleteKey keyId={row.id} name={row.name} remove={remove} next={`/keys?deleted=${row.id}`} />
                <ApiCall title="Delete the key" command={shellCommand(origin, `/keys/delete/${row.id}`)} />
              </div>
            </Panel>
          </>
        )}
        {holds && row.creatorId !== caller.id && (
          <Panel title="Leave this key">
            <p className={styles.soft}>
              You will no longer be able to read its data, and programs will be told that you don't hold it. Only{" "}
              <span translate="no">{row.creator}</span> can add you again.
            </p>
            <LeaveKey
              held={{ id: row.id, name: row.name, creator: row.creator }}
              username={caller.username}
              origin={origin}
            />
          </Panel>
        )}
      </div>
    </ApiCalls>
  );
}

async function found(caller: Caller, keyId: string): Promise<KeyRow | null> {
  try {
    return await findKey(caller, keyId);
  } catch (error) {
    if (error instanceof ApiError && error.code === "key_not_found") return null;
    throw error;
  }
}

function KeyHead({ row, hasCalls }: { row: KeyRow; hasCalls: boolean }) {
  return (
    <div className={styles.title}>
      <a href="/keys">All keys</a>
      <h1>
        <bdi translate="no">{row.name.trim() || <i>Unnamed key</i>}</bdi>
      </h1>
      <div className={styles.id}>
        <code translate="no">{row.id}</code>
        <CopyButton text={row.id} label="Copy id" />
      </div>
      <Facts>
        <Fact name="Price">
          <Price price={row.price} />
        </Fact>
        <Fact name="Created by">
          <span translate="no">{row.creator}</span>
          <OfAUser name={row.creator} />
        </Fact>
        <Fact name="Created">
          <When at={row.createdAt} />
        </Fact>
        {row.since && row.since > row.createdAt && (
          <Fact name="Yours since">
            <When at={row.since} />
          </Fact>
        )}
        {row.until && (
          <Fact name="Your access ends">
            <When at={row.until} precise />
          </Fact>
        )}
      </Facts>
      {hasCalls && <ApiSwitch />}
    </div>
  );
}
