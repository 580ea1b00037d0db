import { Button } from "@/components/buttons";
import { DataTable } from "@/components/table";
import { RelativeTime, When } from "@/components/time";
import { ACCESS_WORDS, networkName } from "@/components/words";
import type { ListedToken } from "@/lib/accounts/identity/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/list";
import styles from "./page.module.css";

/** A program with the account's token, or a token of a program's own. */
export interface Row extends Omit<ListedToken, "usedAt" | "createdFor"> {
  /** It has the account's token. */
  isAccounts: boolean;
  /** From where a link was asked for; null: created by hand. */
  network: string | null;
  /** Null: never; undefined: not recorded, as for the account's token. */
  usedAt?: Date | null;
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
    <DataTable
      label="Programs and tokens"
      className={styles.tokens}
      rows={rows}
      keyOf={({ id }) => id}
      rowClass={({ state }) => (state === "ended" ? "soft" : undefined)}
      columns={{
        name: { head: "Name", className: styles.name, cell: Name },
        access: { head: "Access", className: styles.access, isLabelled: true, cell: MayDo },
        created: { head: "Created", isLabelled: true, cell: ({ createdAt }) => <When at={createdAt} /> },
        used: { head: "Last used", isLabelled: true, cell: LastUse },
        expires: { head: "Expires", isLabelled: true, cell: Expiry },
        remove: {
          looks: "action",
          className: styles.action,
          cell: (row) => (
            <Button variant="default" size="xs" aria-label={`Remove ${row.name}`} onClick={() => onRemove(row)}>
              Remove
            </Button>
          ),
        },
      }}
    />
  );
}

function Name({ name, network, state }: Row) {
  return (
    <>
      <strong translate="no">{name}</strong>
      {network && <small>{`from ${networkName(network)}`}</small>}
      {state === "waiting" && <small>not collected yet</small>}
    </>
  );
}

function MayDo({ access, isAccounts, audiences }: Row) {
  return (
    <>
      <span>{ACCESS_WORDS[access]}</span>
      {isAccounts && <small>with your account's token</small>}
      <ProvesTo audiences={audiences} />
    </>
  );
}

function Expiry({ state, endsAt, isUnused }: Row) {
  return (
    <>
      {state === "ended" && <span className={styles.over}>Expired </span>}
      {endsAt ? <When at={endsAt} /> : <span>Never</span>}
      {isUnused && state === "works" && <small>unless used before then</small>}
    </>
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

function LastUse({ usedAt }: Row) {
  if (usedAt === undefined)
    return (
      <span className="soft">
        Unknown<small>Your account's token doesn't record which program uses it</small>
      </span>
    );
  return usedAt ? <RelativeTime at={usedAt} /> : <span className="soft">Never</span>;
}
