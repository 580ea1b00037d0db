import { Fact, Facts } from "@/components/content/facts";
import { Price } from "@/components/content/key-name";
import { idBefore, Pager } from "@/components/content/pager";
import { When } from "@/components/content/time";
import { CopyButton } from "@/components/controls/copy-button";
import { MessagePage, Panel } from "@/components/frame/panel";
import type { Caller } from "@/lib/accounts/user";
import { endedFor, findKey, manages } from "@/lib/keys/access";
import { BATCHES_A_PAGE, listClaimLinks } from "@/lib/keys/claims/list";
import { HOLDERS_A_PAGE, listHolders } from "@/lib/keys/list";
import { offerOf } from "@/lib/keys/offers";
import type { KeyRow } from "@/lib/keys/queries";
import { plainFields } from "@/lib/keys/schema";
import { trailOfDeleted } from "@/lib/keys/view";
import { ApiError, orNull } from "@/lib/platform/errors";
import { OfAUser } from "../names";
import { remove } from "./actions";
import { ApiCall, ApiCalls, ApiSwitch } from "./api-calls";
import { ClaimLinks } from "./claim-links";
import { shellCommand } from "./commands";
import { DataPanel } from "./data-panel";
import { DeleteKey } from "./delete-key";
import { EVENTS_A_PAGE, HistoryPage, HistoryPanel } from "./history-panel";
import { HoldersOfOwnKey } from "./holder-form";
import styles from "./keys.module.css";
import { LeaveKey } from "./leave-keys";
import { ManyHolders } from "./many-dialog";
import { OfferKey } from "./offered-keys";
import { SearchField } from "./search-field";
import { SettingsForm } from "./settings-form";

/** The links with which people get the key, with actions to create and end them. */
async function ClaimsPanel({ caller, row, query }: { caller: Caller; row: KeyRow; query: Record<string, string> }) {
  const { batches, total, page } = await listClaimLinks(caller, row, { page: query.links ?? "" });
  return (
    <Panel title="Claim links">
      <div id="claims" className={styles.stack}>
        <p className={styles.soft}>
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

interface HoldersPanelProps {
  caller: Caller;
  row: KeyRow;
  query: Record<string, string>;
  origin: string;
}

/** The holders of the key, page by page, with actions to add and revoke. */
async function HoldersPanel({ caller, row, query, origin }: HoldersPanelProps) {
  const search = query.holder ?? "";
  const { holders, total, page } = await listHolders(caller, row, { search, page: query.page ?? "" });
  const hrefOf = (next: number) =>
    `/keys?${new URLSearchParams({ key: row.id, ...(search && { holder: search }), page: String(next) })}#holders`;

  return (
    <Panel title="Holders">
      <div id="holders" className={styles.stack}>
        {(total > HOLDERS_A_PAGE || search !== "") && (
          <SearchField label="Username" name="holder" value={search} keep={{ key: row.id }} />
        )}
        <HoldersOfOwnKey keyId={row.id} holders={holders} origin={origin} />
        <ManyHolders keyId={row.id} origin={origin} />
        {total === 0 && (
          <p className={styles.soft}>
            No matches for “<span>{search}</span>”. <a href={`/keys?key=${row.id}`}>Clear filter</a>
          </p>
        )}
        <Pager of="holders" page={page} size={HOLDERS_A_PAGE} total={total} hrefOf={hrefOf} />
      </div>
    </Panel>
  );
}

/** What remains of a deleted key, for the user who managed it; for others, that there is no such key. */
async function DeletedKey({ caller, keyId, query }: { caller: Caller; keyId: string; query: Record<string, string> }) {
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
        <p className={styles.soft}>
          This key has been deleted. Everyone has lost access and its secret has been erased.
        </p>
        <code translate="no">{keyId}</code>
      </div>
      <HistoryPage events={events} isNewest={before === undefined} href={`/keys?key=${keyId}`} />
    </div>
  );
}

interface KeyViewProps {
  caller: Caller;
  keyId: string;
  query: Record<string, string>;
  origin: string;
}

/** One key: public fields, data for holders, and all actions for its manager. */
export async function KeyView({ caller, keyId, query, origin }: KeyViewProps) {
  const row = await keyOrNull(caller, keyId);
  if (!row) return <DeletedKey caller={caller} keyId={keyId} query={query} />;
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
              Only holders can see its secret. <span translate="no">{row.creator}</span> created it and can{" "}
              <span>{ended ? "extend it" : "add you"}</span>. Your username is{" "}
              <strong translate="no">{caller.username}</strong>.
            </p>
          </Panel>
        )}
        {(holds || managed) && (
          <Panel title="Secret">
            <DataPanel keyId={row.id} holds={holds} changeable={managed} origin={origin} />
          </Panel>
        )}
        {managed && (
          <>
            <HoldersPanel caller={caller} row={row} query={query} origin={origin} />
            <ClaimsPanel caller={caller} row={row} query={query} />
            <HistoryPanel caller={caller} row={row} query={query} />
            <Panel title="Settings">
              <SettingsForm keyId={row.id} {...plainFields(row)} origin={origin} />
              {row.creatorId === caller.id && (
                <div className={styles.ending}>
                  <h3>Hand this key over</h3>
                  <OfferKey keyId={row.id} offer={await offerOf(row.id)} />
                </div>
              )}
              <div className={styles.ending}>
                <h3>Delete this key</h3>
                <p className={styles.soft}>Everyone loses access and its secret is erased. You keep the history.</p>
                <DeleteKey keyId={row.id} name={row.name} remove={remove} next={`/keys?deleted=${row.id}`} />
                <ApiCall title="Delete the key" command={shellCommand(origin, `/keys/delete/${row.id}`)} />
              </div>
            </Panel>
          </>
        )}
        {holds && row.creatorId !== caller.id && (
          <Panel title="Leave this key">
            <p className={styles.soft}>
              You will no longer be able to read its secret, and programs will be told that you don't hold it. Only{" "}
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
