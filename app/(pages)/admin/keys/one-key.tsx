import { CopyButton } from "@/components/copy-button";
import { Fact, Facts } from "@/components/facts";
import { Price } from "@/components/keys/price";
import { Pager } from "@/components/pager";
import { Panel } from "@/components/panel";
import { readableBytes } from "@/components/readable-bytes";
import { When } from "@/components/when";
import type { Caller } from "@/lib/accounts/user";
import { HOLDERS_A_PAGE, listHolders } from "@/lib/keys/list";
import { type KeyFacts, keyFacts } from "@/lib/keys/operator";
import { trailOf, trailOfDeleted } from "@/lib/keys/view";
import type { AuditEvent } from "@/lib/platform/audit";
import { ApiError } from "@/lib/platform/errors";
import { idBefore } from "../../before";
import { DeleteKey } from "../../keys/delete-key";
import { EVENTS_A_PAGE, HistoryPage } from "../../keys/history-panel";
import { OneHead } from "../one-head";
import { SameCommand } from "../same-command";
import { deleteKeyAsAdmin } from "./actions";
import styles from "./keys.module.css";
import { ManageHolders } from "./manage-holders";

const LIST = { href: "/admin/keys", words: "All keys" };

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
    trailOf(admin, facts, EVENTS_A_PAGE + 1, idBefore(sent.before)),
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
      <Activity keyId={facts.id} events={events} isNewest={idBefore(sent.before) === undefined} />
      <Panel title="Delete this key">
        <p className={styles.soft}>
          <span>
            {facts.holders === 1 ? "Its holder loses" : `All ${facts.holders.toLocaleString("en")} holders lose`}
          </span>{" "}
          access, and its data is erased. The activity stays.
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
    <OneHead list={LIST} name={<bdi translate="no">{facts.name.trim() || <i>Unnamed key</i>}</bdi>}>
      <div className={styles.id}>
        <code translate="no">{facts.id}</code>
        <CopyButton text={facts.id} label="Copy id" />
      </div>
      <Facts>
        <Fact name="Created by">
          <a href={`/admin/users?user=${facts.creator}`}>{facts.creator}</a>
        </Fact>
        <Fact name="Price">
          <Price price={facts.price} />
        </Fact>
        <Fact name="Data">{readableBytes(facts.bytes)}</Fact>
        <Fact name="Created">
          <When at={facts.createdAt} precise />
        </Fact>
        <Fact name="Changed">
          <When at={facts.updatedAt} precise />
        </Fact>
      </Facts>
      <SameCommand command={`key:show ${facts.id}`} />
    </OneHead>
  );
}

async function DeletedKey({ admin, keyId, sent }: OneKeyProps) {
  const events = await trailOfDeleted(admin, keyId, EVENTS_A_PAGE + 1, idBefore(sent.before)).catch((error) => {
    if (error instanceof ApiError) return null;
    throw error;
  });
  return (
    <>
      <OneHead list={LIST} name={events ? "This key was deleted" : "There is no key with this id"}>
        {events ? (
          <code translate="no" className={styles.id}>
            {keyId}
          </code>
        ) : (
          <p className={styles.soft}>Check its 32 digits.</p>
        )}
      </OneHead>
      {events && <Activity keyId={keyId} events={events} isNewest={idBefore(sent.before) === undefined} />}
    </>
  );
}

/** The trail, as for those who manage the key. */
function Activity({ keyId, events, isNewest }: { keyId: string; events: AuditEvent[]; isNewest: boolean }) {
  return (
    <HistoryPage
      events={events}
      isNewest={isNewest}
      href={`/admin/keys?key=${keyId}`}
      footer={<SameCommand command={`audit --key ${keyId}`} />}
    />
  );
}
