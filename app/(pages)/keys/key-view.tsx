import { CopyButton } from "@/components/copy-button";
import { AsCommand } from "@/components/keys/as-command";
import { Price } from "@/components/keys/price";
import { Panel } from "@/components/panel";
import { When } from "@/components/when";
import { ApiError } from "@/lib/errors";
import { findFor, type KeyRow, manages, type Viewer } from "@/lib/keys/find";
import { command } from "./command";
import { DataPanel } from "./data-panel";
import { DeleteKey } from "./delete-key";
import { DeletedKey } from "./deleted-key";
import { FieldForm } from "./field-form";
import { HistoryPanel } from "./history-panel";
import { HoldersPanel } from "./holders-panel";
import styles from "./keys.module.css";
import { LeaveKey } from "./leave-key";

interface KeyViewProps {
  viewer: Viewer;
  keyId: string;
  sent: Record<string, string>;
  origin: string;
}

/** One key: what anybody may know of it, its data for holders, and everything to manage it for who does. */
export async function KeyView({ viewer, keyId, sent, origin }: KeyViewProps) {
  const row = await found(viewer, keyId);
  if (!row) return <DeletedKey viewer={viewer} keyId={keyId} sent={sent} />;
  const managed = manages(viewer, row);
  const holds = row.since !== null;

  return (
    <div className={styles.page}>
      <KeyHead row={row} />
      {!holds && !managed && (
        <Panel title="You do not hold this key">
          <p className={styles.soft}>
            So its data is not shown to you. {row.creator} made it and can add you: tell them your username, <strong>{viewer.username}</strong>.
          </p>
        </Panel>
      )}
      {(holds || managed) && (
        <Panel title="Data">
          <DataPanel
            keyId={row.id}
            holds={holds}
            changeable={managed}
            getCommand={command(origin, `/keys/get/${row.id}`)}
            updateCommand={command(origin, `/keys/update/${row.id}`, { key: "data", data: "DATA" })}
          />
        </Panel>
      )}
      {managed && (
        <>
          <Panel title="Name and price">
            <FieldForm keyId={row.id} field="name" value={row.name} origin={origin} />
            <FieldForm keyId={row.id} field="price" value={row.price} origin={origin} />
          </Panel>
          <HoldersPanel viewer={viewer} row={row} sent={sent} origin={origin} />
          <HistoryPanel viewer={viewer} row={row} sent={sent} />
          <Panel title="Delete this key">
            <p className={styles.soft}>Nobody holds it any more then, and its data is gone. What happened to it stays known to you.</p>
            <DeleteKey keyId={row.id} name={row.name} />
            <AsCommand command={command(origin, `/keys/delete/${row.id}`)} />
          </Panel>
        </>
      )}
      {holds && row.creatorId !== viewer.id && (
        <Panel title="Leave this key">
          <p className={styles.soft}>
            You can no longer read its data then, and programs will be told that you do not hold it. Only {row.creator} can add you again.
          </p>
          <LeaveKey held={{ id: row.id, name: row.name, creator: row.creator }} username={viewer.username} origin={origin} />
        </Panel>
      )}
    </div>
  );
}

async function found(viewer: Viewer, keyId: string): Promise<KeyRow | null> {
  try {
    return await findFor(viewer, keyId);
  } catch (error) {
    if (error instanceof ApiError && error.code === "key_not_found") return null;
    throw error;
  }
}

function KeyHead({ row }: { row: KeyRow }) {
  return (
    <div className={styles.title}>
      <a href="/keys">All keys</a>
      <h1>
        <bdi>{row.name.trim() || <i>Unnamed key</i>}</bdi>
      </h1>
      <div className={styles.id}>
        <code>{row.id}</code>
        <CopyButton text={row.id} label="Copy the id" />
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Price</dt>
          <dd>
            <Price price={row.price} />
          </dd>
        </div>
        <div>
          <dt>Made by</dt>
          <dd>{row.creator}</dd>
        </div>
        <div>
          <dt>Made</dt>
          <dd>
            <When at={row.createdAt} />
          </dd>
        </div>
        {row.since && row.since > row.createdAt && (
          <div>
            <dt>Yours since</dt>
            <dd>
              <When at={row.since} />
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
