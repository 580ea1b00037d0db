import { PageLinks } from "@/components/page-links";
import { Panel } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";
import { type Freshness, listFreshness, listUsers } from "@/lib/operator/users/list";
import type { Sort } from "@/lib/operator/users/queries";
import { fillSummaries } from "@/lib/operator/users/summaries";
import { durationInWords, SEEN_WITHIN_SECONDS } from "@/lib/platform/bounds";
import { SameCommand } from "../same-command";
import { type Asked, commandOf, isFiltered, listHref, readAsked } from "./asked";
import { FindUsers } from "./find-users";
import { Invite } from "./invite";
import { UserTable } from "./user-table";
import styles from "./users.module.css";

const A_PAGE = 50;

/** Every user of the service, or those that are asked for. */
export async function AllUsers({ sent }: { sent: Record<string, string> }) {
  const asked = readAsked(sent);
  await fillSummaries();
  const [{ users, next }, freshness] = await Promise.all([listUsers({ ...asked, limit: A_PAGE }), listFreshness()]);
  return (
    <>
      <Panel title={isFiltered(asked) ? "Users found" : "All users"}>
        <FindUsers asked={asked} />
        <p className={styles.soft}>
          <Fresh {...freshness} />
          {asked.name && <span> Names are listed from A to Z.</span>}
        </p>
        {users.length > 0 ? (
          <UserTable users={users} sorting={sortingOf(asked)} key={listHref(asked)} />
        ) : (
          <Nothing asked={asked} isFilled={freshness.isFilled} />
        )}
        <PageLinks
          of="users"
          first={asked.after !== undefined && { href: listHref({ ...asked, after: undefined }), words: "First page" }}
          next={next !== null && { href: listHref({ ...asked, after: next }), words: "Next" }}
        />
        <SameCommand command={commandOf(asked)} />
      </Panel>
      <Panel title="Invite someone">
        <Invite />
      </Panel>
    </>
  );
}

function Fresh({ sweptAt, isFilled }: Freshness) {
  if (!isFilled)
    return <span>Users are being counted for the first time, so some are missing here. Look again in a while.</span>;
  if (!sweptAt) return <span>What users have is being counted. Look again in a few minutes.</span>;
  return (
    <span>
      What users have, as of <RelativeTime at={sweptAt} precise />; “last seen” is accurate to{" "}
      <span>{durationInWords(SEEN_WITHIN_SECONDS)}</span>.
    </span>
  );
}

function Nothing({ asked, isFilled }: { asked: Asked; isFilled: boolean }) {
  if (asked.after !== undefined) return <p className={styles.soft}>There are no more users.</p>;
  if (isFiltered(asked))
    return (
      <p className={styles.soft}>
        No user matches. <a href="/admin/users">Show all users</a>
      </p>
    );
  return isFilled && <p className={styles.soft}>There are no users yet. Invite the first one below.</p>;
}

/** The address for each column that sorts the list by it and, followed again, the other way round. */
function sortingOf(asked: Asked) {
  const head = (sort: Sort) => {
    const { sort: current, direction, after: _, ...rest } = asked;
    const isThis = sort === current;
    const first = sort === "name" ? "ascending" : "descending";
    const other = direction === "ascending" ? "descending" : "ascending";
    return {
      href: listHref({ ...rest, sort, direction: isThis ? other : first }),
      sorted: isThis ? direction : undefined,
    };
  };
  return asked.name
    ? {}
    : {
        name: head("name"),
        created: head("created"),
        seen: head("seen"),
        keys: head("keys"),
        bytes: head("bytes"),
      };
}
