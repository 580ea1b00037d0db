import { DataTable } from "@/components/data-table";
import table from "@/components/keys/table.module.css";
import { PageLinks } from "@/components/page-links";
import { Panel } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";
import { When } from "@/components/when";
import type { BlockedNetwork } from "@/lib/platform/network/block";
import { SameCommand } from "../same-command";
import { BlockForm } from "./block-form";
import styles from "./links.module.css";
import { Unblock } from "./unblock";

/** Blocks per page; one more is read to know whether there are others. */
export const BLOCKS_A_PAGE = 25;

interface BlockedNetworksPanelProps {
  blocks: BlockedNetwork[];
  isFirst: boolean;
  sent: Record<string, string>;
  /** This deployment cannot tell where a request comes from. */
  isBlind: boolean;
}

/** A form to block a network, and the networks that are blocked. */
export function BlockedNetworksPanel({ blocks, isFirst, sent, isBlind }: BlockedNetworksPanelProps) {
  const shown = blocks.slice(0, BLOCKS_A_PAGE);
  const last = blocks.length > BLOCKS_A_PAGE ? shown.at(-1) : undefined;
  return (
    <Panel title="Blocked networks">
      <div id="block" className={styles.soft}>
        <p>A blocked network gets nothing from this service, on any page or route, within a second.</p>
        {isBlind && <p>This process can't tell where requests come from, so it refuses none. Only npm start can.</p>}
      </div>
      <BlockForm key={sent.network ?? ""} network={(sent.network ?? "").slice(0, 100)} />
      {shown.length === 0 ? (
        <p className={styles.soft}>{isFirst ? "No network is blocked." : "There are no earlier ones."}</p>
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
      <SameCommand command="network:list" />
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
        {until ? <When at={until} precise /> : <span className={styles.soft}>No end</span>}
      </td>
      <td className={table.action}>
        <Unblock network={network} />
      </td>
    </tr>
  );
}
