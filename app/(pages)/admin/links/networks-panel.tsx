import { Panel } from "@/components/page";
import { DataTable, PageLinks } from "@/components/table";
import { RelativeTime, When } from "@/components/time";
import { networkName } from "@/components/words";
import { GUESS_WINDOW_SECONDS } from "@/lib/link/limits";
import type { GuessingNetwork } from "@/lib/link/operator";
import { durationInWords } from "@/lib/platform/bounds";
import type { BlockedNetwork } from "@/lib/platform/network/block";
import { BlockForm, Unblock } from "./forms";
import styles from "./links.module.css";

/** Blocks per page; one more is read to know whether there are others. */
export const BLOCKS_A_PAGE = 25;

interface BlockedNetworksPanelProps {
  blocks: BlockedNetwork[];
  isFirst: boolean;
  /** A network that the address proposes to block. */
  proposed: string;
  /** This deployment cannot tell where a request comes from. */
  isBlind: boolean;
}

/** A form to block a network, and the networks that are blocked. */
export function BlockedNetworksPanel({ blocks, isFirst, proposed, isBlind }: BlockedNetworksPanelProps) {
  const shown = blocks.slice(0, BLOCKS_A_PAGE);
  const last = blocks.length > BLOCKS_A_PAGE ? shown.at(-1) : undefined;
  return (
    <Panel title="Blocked networks">
      <div id="block" className="soft">
        <p>Within a second, a blocked network can no longer reach any page or route of this service.</p>
        {isBlind && (
          <p>This process can't tell where requests come from, so it doesn't block any. Only npm start can.</p>
        )}
      </div>
      <BlockForm key={proposed} network={proposed.slice(0, 100)} />
      {shown.length === 0 ? (
        <p className="soft">{isFirst ? "No network is blocked." : "No earlier blocks."}</p>
      ) : (
        <DataTable
          label="Blocked networks"
          rows={shown}
          keyOf={({ id }) => id}
          columns={{
            network: { head: "Network", className: styles.network, cell: Blocked },
            since: { head: "Since", looks: "wide", cell: Since },
            until: { head: "Until", className: styles.until, cell: Until },
            unblock: { looks: "action", cell: ({ network }) => <Unblock network={network} /> },
          }}
        />
      )}
      <PageLinks
        of="blocked networks"
        first={!isFirst && { href: "/admin/links#block", words: "Newest" }}
        next={last !== undefined && { href: `/admin/links?before=${last.id}#block`, words: "Older" }}
      />
    </Panel>
  );
}

function Blocked({ network, reason }: BlockedNetwork) {
  return (
    <>
      <span translate="no">{network}</span>
      {reason !== "" && (
        <span className="detail">
          <bdi translate="no">{reason}</bdi>
        </span>
      )}
    </>
  );
}

function Since({ since, by }: BlockedNetwork) {
  return (
    <>
      <RelativeTime at={since} precise />
      <span className="detail">{`by ${by === "operator" ? "the operator" : (by ?? "a deleted account")}`}</span>
    </>
  );
}

function Until({ until }: BlockedNetwork) {
  return until ? <When at={until} precise /> : <span className="soft">No end date</span>;
}

/** Networks that asked for codes of others in the last hour, and whether their own now need the user's word. */
export function GuessersPanel({ guessers }: { guessers: GuessingNetwork[] }) {
  const alarms = guessers.filter(({ alarmSince }) => alarmSince !== null).length;
  return (
    <Panel title="Networks guessing codes">
      {guessers.length === 0 ? (
        <p className="soft">No network has tried other networks' codes in the last hour.</p>
      ) : (
        <>
          <p className="soft">
            {alarms === 0
              ? "None of them is over the limit. Programs link as usual."
              : "Once a network is over the limit, its programs get a token only after the user allows it, for " +
                `${durationInWords(GUESS_WINDOW_SECONDS)}. All others link as usual.`}
          </p>
          <DataTable
            label="Networks guessing codes"
            rows={guessers}
            keyOf={({ network }) => network}
            columns={{
              network: { head: "Network", className: styles.network, cell: Guesser },
              codes: { head: "Codes", looks: "number", cell: ({ codes }) => codes.toLocaleString("en") },
              last: { head: "Last", looks: "wide", cell: ({ lastAt }) => <RelativeTime at={lastAt} precise /> },
              alarm: { head: "Alarm", className: styles.state, cell: Alarm },
              block: { looks: "action", cell: BlockLink },
            }}
          />
        </>
      )}
    </Panel>
  );
}

function Guesser({ network, program }: GuessingNetwork) {
  return (
    <>
      <span translate="no">{networkName(network)}</span>
      {program !== "" && (
        <span className="detail">
          calls itself <bdi translate="no">{`“${program}”`}</bdi>
        </span>
      )}
    </>
  );
}

function Alarm({ alarmSince, limits }: GuessingNetwork) {
  return (
    <>
      {alarmSince === null ? (
        <span className="soft">No</span>
      ) : (
        <span className={styles.alarm}>
          Since <When at={alarmSince} precise />
        </span>
      )}
      {limits.length > 0 && <span className="detail">{`Limit reached: ${limits.join(", ")}`}</span>}
    </>
  );
}

/** Of what is an address, a link to the form that blocks it. */
function BlockLink({ network }: GuessingNetwork) {
  if (!/^[0-9a-f]/.test(network)) return null;
  return (
    <a href={`/admin/links?network=${encodeURIComponent(network)}#block`} aria-label={`Block ${network}`}>
      Block
    </a>
  );
}
