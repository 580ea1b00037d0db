import type { ListedToken } from "@/lib/accounts/access-tokens/list";
import type { LinkedProgram } from "@/lib/link/program";
import type { Access } from "@/lib/platform/access";

/** A program with the account's token, or a token of a program's own. */
export interface Row {
  id: string;
  name: string;
  access: Access;
  /** It has the account's token. */
  isAccounts: boolean;
  /** From where a link was asked for; null: created by hand. */
  network: string | null;
  createdAt: Date;
  /** Null: never; undefined: not recorded, as for the account's token. */
  usedAt?: Date | null;
  /** Null: never. */
  endsAt: Date | null;
  state: ListedToken["state"];
}

/** Both kinds, the latest first. */
export function programRows(programs: LinkedProgram[], tokens: ListedToken[]): Row[] {
  const rows: Row[] = [
    ...tokens.map(({ madeFor, ...token }) => ({ ...token, isAccounts: false, network: madeFor?.network ?? null })),
    ...programs.map(({ id, program, network, linkedAt, collected }) => ({
      id,
      name: program || "Unnamed program",
      access: "everything" as const,
      isAccounts: true,
      network,
      createdAt: new Date(linkedAt),
      endsAt: null,
      state: collected ? ("works" as const) : ("waiting" as const),
    })),
  ];
  return rows.sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}
