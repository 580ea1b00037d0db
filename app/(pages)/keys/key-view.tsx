import { Fact, Facts, KeyTitle, Price } from "@/components/content";
import { CopyButton } from "@/components/copy-button";
import { MessagePage, Panel } from "@/components/page";
import { idBefore, Pager } from "@/components/table";
import { When } from "@/components/time";
import type { Caller } from "@/lib/accounts/identity/user";
import { endedFor, findKey, manages } from "@/lib/keys/access";
import { BATCHES_A_PAGE, listClaimLinks } from "@/lib/keys/claims/list";
import { trailOfDeleted } from "@/lib/keys/history";
import { HOLDERS_A_PAGE, listHolders } from "@/lib/keys/list";
import { offerOf } from "@/lib/keys/offers";
import type { KeyRow } from "@/lib/keys/queries";
import { plainFields } from "@/lib/keys/schema";
import { ApiError, orNull } from "@/lib/platform/errors";
import { ApiCall, ApiCalls, ApiSwitch } from "../_keys/api-calls";
import { DataPanel } from "../_keys/data-panel";
import { DeleteKey } from "../_keys/delete-key";
import { EVENTS_A_PAGE, HistoryPage, HistoryPanel } from "../_keys/history-panel";
import styles from "../_keys/keys.module.css";
import { Person } from "../names";
import { pageOrigin } from "../visitor";
import { remove } from "./actions";
import { ClaimLinks } from "./claim-links";
import { SettingsForm } from "./key-form";
import { LeaveKey } from "./key-lists";
import { OwnHolders } from "./many-holders";
import { OfferKey } from "./offered-keys";
import { SearchField } from "./search-field";

interface PanelProps {
  caller: Caller;
  row: KeyRow;
  query: Record<string, string>;
}

/** The links with which people get the key, with actions to create and end them. */
async function ClaimsPanel({ caller, row, query }: PanelProps) {
  const { batches, total, page } = await listClaimLinks(caller, row, { page: query.links ?? "" });
  return (
    <Panel title="Claim links">
      <div id="claims" className="stack">
        <p className="soft">
          Anyone with a claim link can accept this key. Hand links out yourself, or let a shop send one to each buyer.
        </p>
        <ClaimLinks keyId={row.id} batches={batches} canCreate={row.creatorId === caller.id} />
        <Pager
          of="claim links"
          page={page}
          size={BATCHES_A_PAGE}
          total={total}
          hrefOf={(next) => `/keys?${new URLSearchParams({ key: row.id, links: String(next) })}#claims`}
        />
      </div>
    </Panel>
  );
}

/** The holders of the key, page by page, with actions to add and revoke. */
async function HoldersPanel({ caller, row, query }: PanelProps) {
  const search = query.holder ?? "";
  const { holders, total, page } = await listHolders(caller, row, { search, page: query.page ?? "" });
  const hrefOf = (next: number) =>
    `/keys?${new URLSearchParams({ key: row.id, ...(search && { holder: search }), page: String(next) })}#holders`;

  return (
    <Panel title="Holders">
      <div id="holders" className="stack">
        {(total > HOLDERS_A_PAGE || search !== "") && (
          <SearchField label="Username" name="holder" value={search} keep={{ key: row.id }} />
        )}
        <OwnHolders keyId={row.id} holders={holders} />
        {total === 0 && (
          <p className="soft">
            No matches for “<span>{search}</span>”. <a href={`/keys?key=${row.id}`}>Clear filter</a>
          </p>
        )}
        <Pager of="holders" page={page} size={HOLDERS_A_PAGE} total={total} hrefOf={hrefOf} />
      </div>
    </Panel>
  );
}

interface KeyViewProps {
  caller: Caller;
  keyId: string;
  query: Record<string, string>;
}

/** What remains of a deleted key, for the user who managed it; for others, that there is no such key. */
async function DeletedKey({ caller, keyId, query }: KeyViewProps) {
  const before = idBefore(query.before);
  const events = await trailOfDeleted(caller, keyId, { limit: EVENTS_A_PAGE + 1, before }).catch(orNull);
  if (!events) {
    return (
      <MessagePage
        title="Key not found"
        text="The address may be incomplete, or the key's creator may have deleted it."
      >
        <a href="/keys">All keys</a>
      </MessagePage>
    );
  }
  const name = events.find(({ action }) => action === "key.delete")?.detail.name;
  return (
    <div className={styles.page}>
      <div className={styles.title}>
        <a href="/keys">All keys</a>
        <h1>{name || <i>Unnamed key</i>}</h1>
        <p className="soft">This key has been deleted. Everyone has lost access and its secret has been erased.</p>
        <code translate="no">{keyId}</code>
      </div>
      <HistoryPage events={events} isNewest={before === undefined} href={`/keys?key=${keyId}`} />
    </div>
  );
}

/** One key: public fields, data for holders, and all actions for its manager. */
export async function KeyView({ caller, keyId, query }: KeyViewProps) {
  const row = await keyOrNull(caller, keyId);
  if (!row) return <DeletedKey caller={caller} keyId={keyId} query={query} />;
  const managed = manages(caller, row);
  const holds = row.since !== null;
  const ended = holds || managed ? null : await endedFor(caller, row.id);

  return (
    <ApiCalls origin={await pageOrigin()}>
      <div className={styles.page}>
        <KeyHead row={row} hasCalls={holds || managed} />
        {!holds && !managed && (
          <Panel title="You don't hold this key">
            <p className="soft">
              <span>
                {ended && (
                  <span>
                    Your access ended on <When at={ended} precise />.{" "}
                  </span>
                )}
              </span>
              Only holders can see its secret. <span translate="no">{row.creator}</span> created it and can{" "}
              <span>{ended ? "extend it" : "add you"}</span>. Your username is{" "}
              <strong translate="no">{caller.username}</strong>.
            </p>
          </Panel>
        )}
        {(holds || managed) && (
          <Panel title="Secret">
            <DataPanel keyId={row.id} holds={holds} changeable={managed} />
          </Panel>
        )}
        {managed && (
          <>
            <HoldersPanel caller={caller} row={row} query={query} />
            <ClaimsPanel caller={caller} row={row} query={query} />
            <HistoryPanel caller={caller} row={row} query={query} />
            <Panel title="Settings">
              <SettingsForm keyId={row.id} {...plainFields(row)} />
              {row.creatorId === caller.id && (
                <div className={styles.ending}>
                  <h3>Hand this key over</h3>
                  <OfferKey keyId={row.id} offer={await offerOf(row.id)} />
                </div>
              )}
              <div className={styles.ending}>
                <h3>Delete this key</h3>
                <p className="soft">Everyone loses access and its secret is erased. You keep the history.</p>
                <DeleteKey keyId={row.id} name={row.name} remove={remove} next={`/keys?deleted=${row.id}`} />
                <ApiCall title="Delete the key" requests={[[`/keys/delete/${row.id}`]]} />
              </div>
            </Panel>
          </>
        )}
        {holds && row.creatorId !== caller.id && (
          <Panel title="Leave this key">
            <p className="soft">
              You will no longer be able to read its secret, and programs will be told that you don't hold it. Only{" "}
              <span translate="no">{row.creator}</span> can add you again.
            </p>
            <LeaveKey held={{ id: row.id, name: row.name, creator: row.creator }} username={caller.username} />
          </Panel>
        )}
      </div>
    </ApiCalls>
  );
}

async function keyOrNull(caller: Caller, keyId: string): Promise<KeyRow | null> {
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
        <KeyTitle name={row.name} />
      </h1>
      <div className={`${styles.id} soft`}>
        <code translate="no">{row.id}</code>
        <CopyButton text={row.id} label="Copy id" />
      </div>
      <Facts>
        <Fact name="Price">
          <Price price={row.price} />
        </Fact>
        <Fact name="Created by">
          <Person name={row.creator} />
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
