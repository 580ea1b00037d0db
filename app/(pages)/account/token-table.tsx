import { Button } from "@/components/buttons";
import { DataTable } from "@/components/table";
import table from "@/components/table.module.css";
import { RelativeTime, When } from "@/components/time";
import { ACCESS_WORDS, networkName } from "@/components/words";
import type { ListedToken } from "@/lib/accounts/identity/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/list";
import type { Access } from "@/lib/platform/access";
import styles from "./page.module.css";

/** A program with the account's token, or a token of a program's own. */
export interface Row {
  id: string;
  name: string;
  access: Access;
  /** The servers to which it proves who its user is; null: any. */
  audiences: readonly string[] | null;
  /** It has the account's token. */
  isAccounts: boolean;
  /** From where a link was asked for; null: created by hand. */
  network: string | null;
  createdAt: Date;
  /** Null: never; undefined: not recorded, as for the account's token. */
  usedAt?: Date | null;
  /** Null: never. */
  endsAt: Date | null;
  /** It ends then because nobody uses it. */
  isUnused: boolean;
  state: ListedToken["state"];
}

/** Both kinds, the latest first. */
export function programRows(programs: LinkedProgram[], tokens: ListedToken[]): Row[] {
  const rows: Row[] = [
    ...tokens.map(({ createdFor, ...token }) => ({
      ...token,
      isAccounts: false,
      network: createdFor?.network ?? null,
    })),
    ...programs.map(({ id, program, network, linkedAt, collected }) => ({
      id,
      name: program || "Unnamed program",
      access: "everything" as const,
      audiences: null,
      isAccounts: true,
      network,
      createdAt: new Date(linkedAt),
      endsAt: null,
      isUnused: false,
      state: collected ? ("works" as const) : ("waiting" as const),
    })),
  ];
  return rows.sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}

/** The programs and tokens, a row each; on a phone a card each. */
export function TokenTable({ rows, onRemove }: { rows: Row[]; onRemove: (row: Row) => void }) {
  return (
    <DataTable className={`${table.table} ${styles.tokens}`} aria-label="Programs and tokens">
      <thead>
        <tr>
          <th>Name</th>
          <th>Access</th>
          <th>Created</th>
          <th>Last used</th>
          <th>Expires</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className={row.state === "ended" ? "soft" : undefined}>
            <td className={styles.name}>
              <strong translate="no">{row.name}</strong>
              {row.network && <small>{`from ${networkName(row.network)}`}</small>}
              {row.state === "waiting" && <small>not collected yet</small>}
            </td>
            <td data-label="Access" className={styles.access}>
              <span>{ACCESS_WORDS[row.access]}</span>
              {row.isAccounts && <small>with your account's token</small>}
              <ProvesTo audiences={row.audiences} />
            </td>
            <td data-label="Created">
              <When at={row.createdAt} />
            </td>
            <td data-label="Last used">
              <LastUse at={row.usedAt} />
            </td>
            <td data-label="Expires">
              {row.state === "ended" && <span className={styles.over}>Expired </span>}
              {row.endsAt ? <When at={row.endsAt} /> : <span>Never</span>}
              {row.isUnused && row.state === "works" && <small>unless used before then</small>}
            </td>
            <td className={`${table.action} ${styles.action}`}>
              <Button variant="default" size="xs" aria-label={`Remove ${row.name}`} onClick={() => onRemove(row)}>
                Remove
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** Of a site, the host is what people know. */
function ProvesTo({ audiences }: Pick<Row, "audiences">) {
  if (audiences === null) return <small>proves to any server that it's you</small>;
  const audience = audiences.at(-1);
  if (audience === undefined) return null;
  return (
    <small>
      proves to <bdi translate="no">{audience}</bdi> that it's you
    </small>
  );
}

function LastUse({ at }: { at: Date | null | undefined }) {
  if (at === undefined)
    return (
      <span className="soft">
        Unknown<small>Your account's token doesn't record which program uses it</small>
      </span>
    );
  return at ? <RelativeTime at={at} /> : <span className="soft">Never</span>;
}
