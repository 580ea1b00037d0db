import { Table, TableTbody, TableTd, TableTh, TableThead, TableTr } from "@mantine/core";
import table from "@/components/keys/table.module.css";
import { networkName } from "@/components/link/whereabouts";
import { Panel } from "@/components/panel";
import { When } from "@/components/when";
import type { GuessingNetwork } from "@/lib/link/guessers";
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
              : "Programs of a network beyond the limit get their token only after the user allows it, until ten " +
                "minutes after this began. All others link as usual."}
          </p>
          <Table className={table.table} aria-label="Networks that guess">
            <TableThead>
              <TableTr>
                <TableTh>Network</TableTh>
                <TableTh className={table.number}>Codes</TableTh>
                <TableTh className={table.wide}>Last</TableTh>
                <TableTh>Alarm</TableTh>
                <TableTd />
              </TableTr>
            </TableThead>
            <TableTbody>
              {guessers.map((guesser) => (
                <GuesserRow key={guesser.network} {...guesser} />
              ))}
            </TableTbody>
          </Table>
        </>
      )}
    </Panel>
  );
}

function GuesserRow({ network, codes, program, lastAt, limits, alarmSince }: GuessingNetwork) {
  return (
    <TableTr>
      <TableTd className={styles.network}>
        {networkName(network)}
        {program !== "" && (
          <span className={styles.detail}>
            calls itself <bdi>“{program}”</bdi>
          </span>
        )}
      </TableTd>
      <TableTd className={table.number}>{codes.toLocaleString("en")}</TableTd>
      <TableTd className={table.wide}>
        <When at={lastAt} precise />
      </TableTd>
      <TableTd>
        {alarmSince === null ? (
          <span className={styles.soft}>No</span>
        ) : (
          <span className={styles.alarm}>
            Since <When at={alarmSince} precise />
          </span>
        )}
        {limits.length > 0 && <span className={styles.detail}>Limit reached: {limits.join(", ")}</span>}
      </TableTd>
      <TableTd className={table.action}>
        {/^[0-9a-f]/.test(network) && (
          <a href={`/admin/links?network=${encodeURIComponent(network)}#block`} aria-label={`Block ${network}`}>
            Block
          </a>
        )}
      </TableTd>
    </TableTr>
  );
}
