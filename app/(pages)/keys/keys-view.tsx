import { AsCommand } from "@/components/keys/as-command";
import { LostKeys } from "@/components/keys/lost-keys";
import { MadeKeys } from "@/components/keys/made-keys";
import { SearchField } from "@/components/keys/search-field";
import { Notice } from "@/components/notice";
import { Pager } from "@/components/pager";
import { keysLostBy } from "@/lib/account/losses";
import { blockedGivers } from "@/lib/keys/blocks";
import type { Viewer } from "@/lib/keys/find";
import { KEYS_A_PAGE, listKeys } from "@/lib/keys/list";
import { BlockedPanel } from "./blocked-panel";
import { command } from "./command";
import { CreateKey } from "./create-key";
import styles from "./keys.module.css";
import { LeaveKeys } from "./leave-keys";

type Kind = "made" | "given";

/** The keys that the viewer holds, those of others apart. */
export async function KeysView({ viewer, sent, origin }: { viewer: Viewer; sent: Record<string, string>; origin: string }) {
  const kind: Kind = sent.list === "given" ? "given" : "made";
  const search = sent.search ?? "";
  const list = await listKeys(viewer, { kind, search, page: sent.page ?? "" });
  const total = kind === "made" ? list.made : list.given;
  const blocked = kind === "given" ? await blockedGivers(viewer) : [];
  const isNew = search === "" && list.made === 0;

  return (
    <div className={styles.list}>
      <div className={styles.head}>
        <h1>Keys</h1>
        {!(isNew && kind === "made") && <CreateKey origin={origin} label="New key" />}
      </div>
      <LostKeys lost={await keysLostBy(viewer.id)} />
      <Notice kind="done">
        {/^[0-9a-f]{32}$/.test(sent.deleted ?? "") && (
          <>
            The key is deleted. <a href={`/keys?key=${sent.deleted}`}>What happened to it</a> stays known to you.
          </>
        )}
      </Notice>
      <div className={styles.bar}>
        <nav className={styles.kinds} aria-label="Which keys">
          <KindLink kind="made" label="Made by you" count={list.made} current={kind} search={search} />
          <KindLink kind="given" label="From others" count={list.given} current={kind} search={search} />
        </nav>
        {(total > 0 || search !== "") && <SearchField label="Name, id or maker" name="search" typed={search} keep={{ list: kind }} />}
      </div>
      {kind === "given" && (
        <LeaveKeys
          keys={list.keys.map(({ holders, ...key }) => key)}
          blocked={blocked.map(({ username }) => username)}
          username={viewer.username}
          origin={origin}
        />
      )}
      {kind === "made" && total > 0 && <MadeKeys keys={list.keys} />}
      {total === 0 && <Nothing kind={kind} search={search} viewer={viewer} origin={origin} />}
      <Pager of="keys" page={list.page} size={KEYS_A_PAGE} total={total} hrefOf={(page) => hrefOf(kind, search, page)} />
      {kind === "given" && <BlockedPanel blocked={blocked} />}
      <AsCommand command={command(origin, "/keys/mine")} />
    </div>
  );
}

function hrefOf(kind: Kind, search: string, page = 1): string {
  const query = new URLSearchParams({ list: kind, ...(search && { search }), ...(page > 1 && { page: String(page) }) });
  return `/keys?${query}`;
}

function KindLink({ kind, label, count, current, search }: { kind: Kind; label: string; count: number; current: Kind; search: string }) {
  return (
    <a href={hrefOf(kind, search)} aria-current={kind === current ? "page" : undefined}>
      {label} <span>{count.toLocaleString("en")}</span>
    </a>
  );
}

/** What to do where the list is empty. */
function Nothing({ kind, search, viewer, origin }: { kind: Kind; search: string; viewer: Viewer; origin: string }) {
  if (search !== "") {
    return (
      <div className={styles.nothing}>
        <h2>No key matches “{search}”</h2>
        <p>
          <a href={hrefOf(kind, "")}>Show all of them</a>
        </p>
      </div>
    );
  }
  if (kind === "given") {
    return (
      <div className={styles.nothing}>
        <h2>Nobody has added you to a key</h2>
        <p>
          Whoever makes one can. Tell them your username: <strong>{viewer.username}</strong>
        </p>
      </div>
    );
  }
  return (
    <div className={styles.nothing}>
      <h2>You have made no key yet</h2>
      <p>
        A key carries a secret and a list of people. Those on the list can read the secret, and any program can ask whether somebody is on it: for a licence, a
        purchase, a way in.
      </p>
      <CreateKey origin={origin} label="Make your first key" />
    </div>
  );
}
