import { DataTable } from "@/components/data-table";
import table from "@/components/keys/table.module.css";
import { networkName } from "@/components/link/whereabouts";
import { Panel } from "@/components/panel";
import { RelativeTime } from "@/components/relative-time";
import { When } from "@/components/when";
import { GUESS_WINDOW_SECONDS } from "@/lib/link/limits";
import type { GuessingNetwork } from "@/lib/link/operator";
import { durationInWords } from "@/lib/platform/bounds";
import styles from "./links.module.css";

/** Networks that asked for codes of others in the last hour, and whether their own now need the user's word. */
export function GuessersPanel({ guessers }: { guessers: GuessingNetwork[] }) {
  const alarms = guessers.filter(({ alarmSince }) => alarmSince !== null).length;
  return (
    <Panel title="Networks that guess">
      {guessers.length === 0 ? (
        <p className={styles.soft}>No network asked for the codes of others in the last hour.</p>
      ) : (
        <>
          <p className={styles.soft}>
            {alarms === 0
              ? "None of them is beyond the limit. Programs link as usual."
              : "Programs of a network beyond the limit get their token only after the user allows it, until " +
                `${durationInWords(GUESS_WINDOW_SECONDS)} after this began. All others link as usual.`}
          </p>
          <DataTable className={table.table} aria-label="Networks that guess">
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
