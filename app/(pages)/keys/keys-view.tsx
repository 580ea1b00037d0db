import { Notice } from "@/components/feedback";
import { EmptyState } from "@/components/page";
import { Pager, type Sorting, Views } from "@/components/table";
import { When } from "@/components/time";
import type { Caller } from "@/lib/accounts/identity/user";
import { blockedGivers } from "@/lib/keys/block";
import { KEYS_A_PAGE, type KeyList, listKeys } from "@/lib/keys/list";
import { newsFor } from "@/lib/keys/news";
import { offersTo } from "@/lib/keys/offers";
import { type ListKind, orderAfter, type SortColumn, writeOrder } from "@/lib/keys/order";
import { type KeyLoss, keysLostBy } from "@/lib/user-data/delete";
import { ApiCall, ApiCalls, ApiSwitch } from "../_keys/api-calls";
import styles from "../_keys/keys.module.css";
import { pageOrigin } from "../visitor";
import { BlockedPanel } from "./blocked-panel";
import { CreateKey } from "./key-form";
import { CreatedKeys, CsvLink, LeaveKeys } from "./key-lists";
import { KeyNews } from "./key-news";
import { OfferedKeys } from "./offered-keys";
import { SearchField } from "./search-field";

/** Tells a holder which keys were lost because their creators deleted their accounts. Nothing if there are none. */
function LostKeys({ losses }: { losses: KeyLoss[] }) {
  if (losses.length === 0) return null;
  return (
    <ul className={styles.lost} aria-label="Deleted keys">
      {losses.map(({ creator, keys, at }) => (
        <li key={`${creator} ${at.getTime()}`}>
          <strong translate="no">{creator}</strong> deleted their account on <When at={at} />, and with it{" "}
          <span>{keys === 1 ? "a key you held" : `${keys.toLocaleString("en")} keys you held`}</span>.
        </li>
      ))}
    </ul>
  );
}

const KINDS: [ListKind, string][] = [
  ["made", "Created by you"],
  ["given", "From others"],
];

/** The keys that the caller holds, with those of others in a separate list. */
export async function KeysView({ caller, query }: { caller: Caller; query: Record<string, string> }) {
  const search = (query.search ?? "").trim();
  const requestedKind = query.list === "made" || query.list === "given" ? query.list : undefined;
  const list = await listKeys(caller, { kind: requestedKind, search, page: query.page ?? "", sort: query.sort });
  const { kind } = list;
  const sort = writeOrder(list.order);
  const total = kind === "made" ? list.created : list.received;
  const blocked = kind === "given" ? await blockedGivers(caller) : [];
  const isNew = search === "" && list.created === 0;

  return (
    <ApiCalls origin={await pageOrigin()}>
      <div className={styles.list}>
        <div className={styles.head}>
          <h1>Keys</h1>
          {!(isNew && kind === "made") && <CreateKey label="New key" />}
        </div>
        <KeyNews news={await newsFor(caller)} />
        <OfferedKeys {...(await offersTo(caller))} />
        <LostKeys losses={await keysLostBy(caller.id)} />
        <Notice kind="done">
          {/^[0-9a-f]{32}$/.test(query.deleted ?? "") && (
            <span>
              The key has been deleted. You keep its <a href={`/keys?key=${query.deleted}`}>history</a>.
            </span>
          )}
        </Notice>
        <div className={styles.bar}>
          <Views
            label="Lists of keys"
            isLarge
            views={KINDS.map(([of, words]) => ({
              href: hrefOf(of, { search }),
              words,
              count: of === "made" ? list.created : list.received,
              isShown: of === kind,
            }))}
          />
          {(total > 0 || search !== "") && (
            <SearchField
              label="Name, id or creator"
              name="search"
              value={search}
              keep={{ list: kind, ...(sort && { sort }) }}
            />
          )}
          <p role="status" className={styles.found}>
            {search !== "" && total > 0 && (total === 1 ? "1 match" : `${total.toLocaleString("en")} matches`)}
          </p>
        </div>
        {kind === "given" && (
          <LeaveKeys
            keys={list.keys}
            sorting={sortingOf(list, search)}
            blocked={blocked.map(({ username }) => username)}
            username={caller.username}
          />
        )}
        {kind === "made" && total > 0 && <CreatedKeys keys={list.keys} sorting={sortingOf(list, search)} />}
        {total === 0 && <Nothing kind={kind} search={search} caller={caller} />}
        <Pager
          of="keys"
          page={list.page}
          size={KEYS_A_PAGE}
          total={total}
          hrefOf={(page) => hrefOf(kind, { search, sort, page })}
        />
        {kind === "given" && <BlockedPanel blocked={blocked} />}
        <div className={styles.foot}>
          <ApiSwitch />
          {total > 0 && (
            <CsvLink href={`/keys.csv?${new URLSearchParams({ list: kind, ...(search && { search }) })}`} />
          )}
        </div>
        <ApiCall title="List your keys" requests={[["/keys/mine"]]} />
      </div>
    </ApiCalls>
  );
}

interface ListAddress {
  search?: string;
  sort?: string;
  page?: number;
}

function hrefOf(kind: ListKind, { search = "", sort = "", page = 1 }: ListAddress): string {
  const parameters = { ...(search && { search }), ...(sort && { sort }), ...(page > 1 && { page: String(page) }) };
  return `/keys?${new URLSearchParams({ list: kind, ...parameters })}`;
}

function sortingOf({ kind, order }: KeyList, search: string): Sorting {
  const head = (column: SortColumn): Sorting[SortColumn] => ({
    href: hrefOf(kind, { search, sort: writeOrder(orderAfter(order, column)) }),
    ...(order.column === column && { sorted: order.isDescending ? "descending" : "ascending" }),
  });
  const columns: SortColumn[] = ["name", "creator", "price", "holders", "since"];
  return Object.fromEntries(columns.map((column) => [column, head(column)]));
}

/** What to do if the list is empty. */
function Nothing({ kind, search, caller }: { kind: ListKind; search: string; caller: Caller }) {
  if (search !== "") {
    return (
      <EmptyState picture="key" title={`No matches for “${search}”`}>
        <p>
          <a href={hrefOf(kind, {})}>Clear search</a>
        </p>
      </EmptyState>
    );
  }
  if (kind === "given") {
    return (
      <EmptyState picture="key" title="No keys from others yet">
        <p>
          Anyone with a key of their own can add you to it. Your username is{" "}
          <strong translate="no">{caller.username}</strong>
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState picture="key" title="You haven't created any keys yet">
      <p>
        A key has a secret and a list of holders. Holders can read the secret, and any program can check whether someone
        is a holder: for a licence, a purchase or access to something.
      </p>
      <CreateKey label="Create your first key" />
    </EmptyState>
  );
}
