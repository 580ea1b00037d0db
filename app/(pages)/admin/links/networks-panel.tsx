import { Panel } from "@/components/page";
import { DataTable, PageLinks } from "@/components/table";
import table from "@/components/table.module.css";
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
  parameters: Record<string, string>;
  /** This deployment cannot tell where a request comes from. */
  isBlind: boolean;
}

/** A form to block a network, and the networks that are blocked. */
export function BlockedNetworksPanel({ blocks, isFirst, parameters, isBlind }: BlockedNetworksPanelProps) {
  const shown = blocks.slice(0, BLOCKS_A_PAGE);
  const last = blocks.length > BLOCKS_A_PAGE ? shown.at(-1) : undefined;
  return (
    <Panel title="Blocked networks">
      <div id="block" className={styles.soft}>
        <p>Within a second, a blocked network can no longer reach any page or route of this service.</p>
        {isBlind && (
          <p>This process can't tell where requests come from, so it doesn't block any. Only npm start can.</p>
        )}
      </div>
      <BlockForm key={parameters.network ?? ""} network={(parameters.network ?? "").slice(0, 100)} />
      {shown.length === 0 ? (
        <p className={styles.soft}>{isFirst ? "No network is blocked." : "No earlier blocks."}</p>
      ) : (
        <DataTable className={table.table} aria-label="Blocked networks">
          <thead>
            <tr>
              <th>Network</th>
              <th className={table.wide}>Since</th>
              <th>Until</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {shown.map((block) => (
              <BlockRow key={block.id} {...block} />
            ))}
          </tbody>
        </DataTable>
      )}
      <PageLinks
        of="blocked networks"
        first={!isFirst && { href: "/admin/links#block", words: "Newest" }}
        next={last !== undefined && { href: `/admin/links?before=${last.id}#block`, words: "Older" }}
      />
    </Panel>
  );
}

function BlockRow({ network, reason, since, until, by }: BlockedNetwork) {
  return (
    <tr>
      <td className={styles.network}>
        <span translate="no">{network}</span>
        {reason !== "" && (
          <span className={styles.detail}>
            <bdi translate="no">{reason}</bdi>
          </span>
        )}
      </td>
      <td className={table.wide}>
        <RelativeTime at={since} precise />
        <span className={styles.detail}>
          {`by ${by === "operator" ? "the operator" : (by ?? "a deleted account")}`}
        </span>
      </td>
      <td className={styles.until}>
        {until ? <When at={until} precise /> : <span className={styles.soft}>No end date</span>}
      </td>
      <td className={table.action}>
        <Unblock network={network} />
      </td>
    </tr>
  );
}

/** Networks that asked for codes of others in the last hour, and whether their own now need the user's word. */
export function GuessersPanel({ guessers }: { guessers: GuessingNetwork[] }) {
  const alarms = guessers.filter(({ alarmSince }) => alarmSince !== null).length;
  return (
    <Panel title="Networks guessing codes">
      {guessers.length === 0 ? (
        <p className={styles.soft}>No network has tried other networks' codes in the last hour.</p>
      ) : (
        <>
          <p className={styles.soft}>
            {alarms === 0
              ? "None of them is over the limit. Programs link as usual."
              : "Once a network is over the limit, its programs get a token only after the user allows it, for " +
                `${durationInWords(GUESS_WINDOW_SECONDS)}. All others link as usual.`}
          </p>
          <DataTable className={table.table} aria-label="Networks guessing codes">
            <thead>
              <tr>
                <th>Network</th>
                <th className={table.number}>Codes</th>
                <th className={table.wide}>Last</th>
                <th>Alarm</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {guessers.map((guesser) => (
                <GuesserRow key={guesser.network} {...guesser} />
              ))}
            </tbody>
          </DataTable>
        </>
      )}
    </Panel>
  );
}

function GuesserRow({ network, codes, program, lastAt, limits, alarmSince }: GuessingNetwork) {
  return (
    <tr>
      <td className={styles.network}>
        <span translate="no">{networkName(network)}</span>
        {program !== "" && (
          <span className={styles.detail}>
            calls itself <bdi translate="no">{`“${program}”`}</bdi>
          </span>
        )}
      </td>
      <td className={table.number}>{codes.toLocaleString("en")}</td>
      <td className={table.wide}>
        <RelativeTime at={lastAt} precise />
      </td>
      <td className={styles.state}>
        {alarmSince === null ? (
          <span className={styles.soft}>No</span>
        ) : (
          <span className={styles.alarm}>
            Since <When at={alarmSince} precise />
          </span>
        )}
        {limits.length > 0 && <span className={styles.detail}>{`Limit reached: ${limits.join(", ")}`}</span>}
      </td>
      <td className={table.action}>
        {/^[0-9a-f]/.test(network) && (
          <a href={`/admin/links?network=${encodeURIComponent(network)}#block`} aria-label={`Block ${network}`}>
            Block
          </a>
        )}
      </td>
    </tr>
  );
}
