import { CopyButton } from "@/components/copy-button";
import { History } from "@/components/keys/history";
import { Price } from "@/components/keys/price";
import { Pager } from "@/components/pager";
import { Panel } from "@/components/panel";
import { readableBytes } from "@/components/readable-bytes";
import { When } from "@/components/when";
import type { AuditEvent } from "@/lib/audit";
import { ApiError } from "@/lib/errors";
import { type KeyFacts, keyFacts } from "@/lib/keys/all/facts";
import { HOLDERS_A_PAGE, listHolders } from "@/lib/keys/list-holders";
import { trailOf, trailOfDeleted } from "@/lib/keys/trail";
import type { Caller } from "@/lib/user";
import { DeleteKey } from "../../keys/delete-key";
import { SameCommand } from "../same-command";
import { deleteKeyAsAdmin } from "./actions";
import styles from "./keys.module.css";
import { ManageHolders } from "./manage-holders";

/** Events per page; one more is read to know whether there are older ones. */
const EVENTS_A_PAGE = 20;

interface OneKeyProps {
  admin: Caller;
  keyId: string;
  sent: Record<string, string>;
}

/** One key without its data: its facts, its holders, its trail, and what an administrator may do with it. */
export async function OneKey({ admin, keyId, sent }: OneKeyProps) {
  const facts = await keyFacts(keyId);
  if (!facts) return <DeletedKey admin={admin} keyId={keyId} sent={sent} />;
  const [list, events] = await Promise.all([
    listHolders(admin, facts, { search: "", page: sent.page ?? "" }),
    trailOf(admin, facts, EVENTS_A_PAGE + 1, before(sent)),
  ]);
  const hrefOf = (page: number) => `/admin/keys?key=${facts.id}&page=${page}#holders`;
  return (
    <>
      <KeyHead facts={facts} />
      <Panel title="Holders">
        <div id="holders" className={styles.holders}>
          <ManageHolders keyId={facts.id} holders={list.holders} />
          <Pager of="holders" page={list.page} size={HOLDERS_A_PAGE} total={list.total} hrefOf={hrefOf} />
        </div>
      </Panel>
      <Activity keyId={facts.id} events={events} isNewest={before(sent) === undefined} />
      <Panel title="Delete this key">
        <p className={styles.soft}>
          All {facts.holders.toLocaleString("en")} holders lose access and its data is erased. The activity stays.
        </p>
        <DeleteKey
          keyId={facts.id}
          name={facts.name}
          remove={deleteKeyAsAdmin}
          next={`/admin/keys?key=${facts.id}`}
          footer={<SameCommand command={`key:delete ${facts.id}`} />}
        />
      </Panel>
    </>
  );
}

function KeyHead({ facts }: { facts: KeyFacts }) {
  return (
    <div className={styles.head}>
      <a href="/admin/keys">All keys</a>
      <h2>
        <bdi>{facts.name.trim() || <i>Unnamed key</i>}</bdi>
      </h2>
      <div className={styles.id}>
        <code>{facts.id}</code>
        <CopyButton text={facts.id} label="Copy id" />
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>Created by</dt>
          <dd>{facts.creator}</dd>
        </div>
        <div>
          <dt>Price</dt>
          <dd>
            <Price price={facts.price} />
          </dd>
        </div>
        <div>
          <dt>Data</dt>
          <dd>{readableBytes(facts.bytes)}</dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <When at={facts.createdAt} precise />
          </dd>
        </div>
        <div>
          <dt>Changed</dt>
          <dd>
            <When at={facts.updatedAt} precise />
          </dd>
        </div>
      </dl>
      <SameCommand command={`key:show ${facts.id}`} />
    </div>
  );
}

async function DeletedKey({ admin, keyId, sent }: OneKeyProps) {
  const events = await trailOfDeleted(admin, keyId, EVENTS_A_PAGE + 1, before(sent)).catch((error) => {
    if (error instanceof ApiError) return null;
    throw error;
  });
  return (
    <>
      <div className={styles.head}>
        <a href="/admin/keys">All keys</a>
        <h2>{events ? "This key was deleted" : "There is no key with this id"}</h2>
        {events ? <code className={styles.id}>{keyId}</code> : <p className={styles.soft}>Check its 32 digits.</p>}
      </div>
      {events && <Activity keyId={keyId} events={events} isNewest={before(sent) === undefined} />}
    </>
  );
}

function Activity({ keyId, events, isNewest }: { keyId: string; events: AuditEvent[]; isNewest: boolean }) {
  const page = events.slice(0, EVENTS_A_PAGE);
  const oldest = events.length > EVENTS_A_PAGE ? page.at(-1) : undefined;
  return (
    <Panel title="Activity">
      <div id="history">
        {page.length === 0 ? <p className={styles.soft}>There is no earlier activity.</p> : <History events={page} />}
      </div>
      {(!isNewest || oldest) && (
        <nav className={styles.pages} aria-label="Pages of activity">
          {!isNewest && <a href={`/admin/keys?key=${keyId}#history`}>Newest</a>}
          {oldest && <a href={`/admin/keys?key=${keyId}&before=${oldest.id}#history`}>Older</a>}
        </nav>
      )}
      <SameCommand command={`audit --key ${keyId}`} />
    </Panel>
  );
}

function before(sent: Record<string, string>): number | undefined {
  return /^[1-9]\d{0,14}$/.test(sent.before ?? "") ? Number(sent.before) : undefined;
}
