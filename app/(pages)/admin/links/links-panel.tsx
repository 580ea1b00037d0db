import { Panel } from "@/components/page";
import { DataTable, Pager, Views } from "@/components/table";
import { RelativeTime } from "@/components/time";
import { networkName, webPageName } from "@/components/words";
import { RECENT_SECONDS, type RecentLink } from "@/lib/link/operator";
import { type LinkStatus, UNAPPROVED_RETENTION_SECONDS } from "@/lib/link/states";
import { durationInWords } from "@/lib/platform/bounds";
import type { Query } from "../console-page";
import { EndLink } from "./forms";
import styles from "./links.module.css";

/** What each state is called. */
const STATUS_WORDS: Record<LinkStatus, string> = {
  pending: "Waiting",
  approved: "Approved, not collected",
  denied: "Denied or ended",
  expired: "Expired",
  collected: "Linked",
};

type Kind = "all" | "contested" | LinkStatus;

/** The kinds of requests that the page can show, by how an address asks for them. */
const KINDS: { name: Kind; words: string }[] = [
  { name: "all", words: "All" },
  ...(Object.keys(STATUS_WORDS) as LinkStatus[]).map((name) => ({ name, words: STATUS_WORDS[name] })),
  { name: "contested", words: "Seen by others" },
];

/** Whether a request is of this kind. Others know its code if they polled for it or entered it, too. */
function isShown(kind: Kind, { status, onlookers, entries }: RecentLink): boolean {
  if (kind === "contested") return onlookers > 0 || entries > 1;
  return kind === "all" || kind === status;
}

/** The kind that an address requests; otherwise all. */
const readKind = (parameter = ""): Kind => KINDS.find(({ name }) => name === parameter)?.name ?? "all";

const LINKS_A_PAGE = 25;
const RECENT = durationInWords(RECENT_SECONDS);

interface LinksPanelProps {
  links: RecentLink[];
  isAll: boolean;
  query: Query;
}

/** The requests of programs in the last hours, by what became of them. */
export function LinksPanel({ links, isAll, query }: LinksPanelProps) {
  const kind = readKind(query.show);
  const shown = links.filter((link) => isShown(kind, link));
  const last = Math.max(1, Math.ceil(shown.length / LINKS_A_PAGE));
  const page = /^[1-9]\d{0,3}$/.test(query.page ?? "") ? Math.min(Number(query.page), last) : 1;
  const hrefOf = (next: number) => `/admin/links?${new URLSearchParams({ show: kind, page: String(next) })}`;
  return (
    <Panel title={`Requests to link a program in the last ${RECENT}`}>
      <Views
        label="Kinds of requests"
        views={KINDS.map(({ name, words }) => ({
          href: `/admin/links?show=${name}`,
          words,
          count: links.filter((link) => isShown(name, link)).length,
          isShown: name === kind,
        }))}
      />
      <p className="soft">
        {`Codes that nobody approved are listed for ${durationInWords(UNAPPROVED_RETENTION_SECONDS)} after they end.`}
      </p>
      {!isAll && <p className="soft">{`Only the latest ${links.length.toLocaleString("en")} are shown here.`}</p>}
      {shown.length === 0 ? (
        <p className="soft">
          {links.length === 0 ? `No program has requested a code in the last ${RECENT}.` : "No requests of this kind."}
        </p>
      ) : (
        <LinkTable links={shown.slice((page - 1) * LINKS_A_PAGE, page * LINKS_A_PAGE)} />
      )}
      <Pager of="requests" page={page} size={LINKS_A_PAGE} total={shown.length} hrefOf={hrefOf} />
    </Panel>
  );
}

function LinkTable({ links }: { links: RecentLink[] }) {
  return (
    <DataTable
      label="Requests of programs"
      rows={links}
      keyOf={({ id }) => id}
      columns={{
        claim: { head: "Calls itself", className: styles.claim, cell: Claim },
        network: {
          head: "Network",
          looks: "wide",
          className: styles.network,
          cell: ({ network }) => networkName(network),
        },
        requested: {
          head: "Requested",
          looks: "wide",
          cell: ({ createdAt }) => <RelativeTime at={createdAt} precise />,
        },
        state: { head: "State", className: styles.state, cell: State },
        end: {
          looks: "action",
          cell: ({ id, program, network, isLive }) =>
            isLive && <EndLink linkId={id} program={program} network={networkName(network)} />,
        },
      }}
    />
  );
}

function Claim({ program, network, webPage }: RecentLink) {
  return (
    <>
      {program === "" ? <i className="soft">No name</i> : <bdi translate="no">{`“${program}”`}</bdi>}
      <span className={`detail ${styles.narrow}`}>{networkName(network)}</span>
      {webPage !== null && <span className="detail">{webPageName(webPage)}</span>}
    </>
  );
}

function State({ status, onlookers, entries }: RecentLink) {
  return (
    <>
      <span>{STATUS_WORDS[status]}</span>
      <Strangers onlookers={onlookers} entries={entries} />
    </>
  );
}

function Strangers({ onlookers, entries }: Pick<RecentLink, "onlookers" | "entries">) {
  const counted = [
    onlookers > 0 && `polled from ${onlookers === 1 ? "another network" : `${onlookers} other networks`}`,
    entries > 1 && `entered by ${entries} accounts`,
  ].filter((words) => words !== false);
  return counted.length > 0 && <span className="detail">{counted.join(", ")}</span>;
}
