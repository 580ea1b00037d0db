import { Pager } from "@/components/content/pager";
import type { Sorting } from "@/components/content/table";
import { When } from "@/components/content/time";
import { Notice } from "@/components/feedback/notice";
import { EmptyState } from "@/components/frame/panel";
import type { Caller } from "@/lib/accounts/user";
import { blockedGivers } from "@/lib/keys/block";
import { KEYS_A_PAGE, type KeyList, listKeys } from "@/lib/keys/list";
import { offersTo } from "@/lib/keys/offers";
import { type ListKind, orderAfter, type SortColumn, writeOrder } from "@/lib/keys/schema";
import { newsFor } from "@/lib/keys/view";
import { type KeyLoss, keysLostBy } from "@/lib/user-data/delete";
import { ApiCall, ApiCalls, ApiSwitch } from "./api-calls";
import { BlockedPanel } from "./blocked-panel";
import { shellCommand } from "./commands";
import { CreateKey } from "./create-key";
import { CreatedKeys, CsvLink } from "./created-keys";
import { KeyNews } from "./key-news";
import styles from "./keys.module.css";
import { LeaveKeys } from "./leave-keys";
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

/** The keys that the caller holds, with those of others in a separate list. */
export async function KeysView({
  caller,
  query,
  origin,
}: {
  caller: Caller;
  query: Record<string, string>;
  origin: string;
}) {
  const search = (query.search ?? "").trim();
  const requestedKind = query.list === "made" || query.list === "given" ? query.list : undefined;
  const list = await listKeys(caller, { kind: requestedKind, search, page: query.page ?? "", sort: query.sort });
  const { kind } = list;
  const sort = writeOrder(list.order);
  const total = kind === "made" ? list.created : list.received;
  const blocked = kind === "given" ? await blockedGivers(caller) : [];
  const isNew = search === "" && list.created === 0;

  return (
    <ApiCalls>
      <div className={styles.list}>
        <div className={styles.head}>
          <h1>Keys</h1>
          {!(isNew && kind === "made") && <CreateKey origin={origin} label="New key" />}
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
          <nav className={styles.kinds} aria-label="Lists of keys">
            <KindLink kind="made" label="Created by you" count={list.created} current={kind} search={search} />
            <KindLink kind="given" label="From others" count={list.received} current={kind} search={search} />
          </nav>
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
            keys={list.keys.map(({ holders, ...key }) => key)}
            sorting={sortingOf(list, search)}
            blocked={blocked.map(({ username }) => username)}
            username={caller.username}
            origin={origin}
          />
        )}
        {kind === "made" && total > 0 && (
          <CreatedKeys keys={list.keys} sorting={sortingOf(list, search)} origin={origin} />
        )}
        {total === 0 && <Nothing kind={kind} search={search} caller={caller} origin={origin} />}
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
        <ApiCall title="List your keys" command={shellCommand(origin, "/keys/mine")} />
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

function KindLink({
  kind,
  label,
  count,
  current,
  search,
}: {
  kind: ListKind;
  label: string;
  count: number;
  current: ListKind;
  search: string;
}) {
  return (
    <a href={hrefOf(kind, { search })} aria-current={kind === current ? "page" : undefined}>
      <span>{label}</span> <span>{count.toLocaleString("en")}</span>
    </a>
  );
}

/** What to do if the list is empty. */
function Nothing({ kind, search, caller, origin }: { kind: ListKind; search: string; caller: Caller; origin: string }) {
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
      <CreateKey origin={origin} label="Create your first key" />
    </EmptyState>
  );
}
