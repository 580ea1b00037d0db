"use client";

import { type ReactNode, useState } from "react";
import { DataTable, SelectionBar } from "@/components/content/table";
import heads from "@/components/content/table.module.css";
import table from "@/components/content/table.module.css";
import { RelativeTime, When } from "@/components/content/time";
import { readableBytes } from "@/components/content/words";
import { Checkbox, SelectAll } from "@/components/controls/checkbox";
import { SteadyButton } from "@/components/controls/steady-button";
import { Notice } from "@/components/feedback/notice";
import { IconArrowDown, IconArrowUp } from "@/components/frame/icons";
import { isReservedName } from "@/lib/accounts/reserved-names";
import type { ListedUser } from "@/lib/operator/users/list";
import type { Direction, Sort } from "@/lib/operator/users/queries";
import type { ForOne } from "@/lib/operator/users/update";
import { seenOf } from "@/lib/platform/bounds";
import { ErrorNotice } from "../../error-notice";
import { useAction } from "../../use-action";
import { disable, enable } from "./actions";
import styles from "./users.module.css";

interface UserTableProps {
  users: ListedUser[];
  sorting: Partial<Record<Sort, { href: string; sorted?: Direction }>>;
}

/** A page of users, several of whom can be disabled or enabled at once. */
export function UserTable({ users, sorting }: UserTableProps) {
  const { run, busy, error } = useAction();
  const [chosen, setChosen] = useState<string[]>([]);
  const [results, setResults] = useState<{ words: string; refused: ForOne[] } | null>(null);
  const names = users.map(({ username }) => username);

  async function set(disabled: boolean) {
    const done = await run(disabled ? disable : enable, chosen);
    if (!done) return;
    const refused = done.ok.filter((one) => one.refused !== null);
    const count = done.ok.length - refused.length;
    const words = count > 0 ? `${count} ${count === 1 ? "user" : "users"} ${disabled ? "disabled" : "enabled"}.` : "";
    setResults({ words, refused });
    setChosen(refused.map(({ username }) => username));
  }

  const head = (sort: Sort, label: string, className?: string) => (
    <Head {...sorting[sort]} className={className}>
      {label}
    </Head>
  );
  return (
    <>
      <DataTable className={table.table} aria-label="Users">
        <thead>
          <tr>
            <th className={table.action}>
              <SelectAll ids={names} chosen={chosen} onChoose={setChosen} />
            </th>
            {head("name", "Name")}
            {head("seen", "Last seen", table.number)}
            {head("keys", "Keys", `${table.number} ${styles.middle}`)}
            <th className={`${table.number} ${table.wide}`}>Files</th>
            {head("bytes", "Stored", `${table.number} ${styles.middle}`)}
            {head("created", "Created", `${table.number} ${table.wide}`)}
          </tr>
        </thead>
        <TableBody users={users} chosen={chosen} onChoose={setChosen} />
      </DataTable>
      <ErrorNotice error={error} />
      <Notice kind="done">{results?.words}</Notice>
      {results && results.refused.length > 0 && (
        <ul className={styles.refused}>
          {results.refused.map(({ username, refused }) => (
            <li key={username}>
              <strong translate="no">{username}</strong>: <span>{refused}</span>
            </li>
          ))}
        </ul>
      )}
      {chosen.length > 0 && (
        <SelectionBar count={chosen.length} onClear={() => setChosen([])}>
          <SteadyButton size="sm" variant="default" onClick={() => set(false)} disabled={busy}>
            Enable
          </SteadyButton>
          <SteadyButton size="sm" color="red" onClick={() => set(true)} loading={busy}>
            Disable
          </SteadyButton>
        </SelectionBar>
      )}
    </>
  );
}

interface HeadProps {
  href?: string;
  sorted?: Direction;
  className?: string;
  children: ReactNode;
}

function Head({ href, sorted, className, children }: HeadProps) {
  return (
    <th className={className} aria-sort={sorted}>
      {href ? (
        <a href={href} className={heads.head}>
          {children}
          {sorted === "ascending" && <IconArrowUp size={14} />}
          {sorted === "descending" && <IconArrowDown size={14} />}
        </a>
      ) : (
        children
      )}
    </th>
  );
}

interface BodyProps {
  users: ListedUser[];
  chosen: string[];
  onChoose: (names: string[]) => void;
}

function TableBody({ users, chosen, onChoose }: BodyProps) {
  return (
    <tbody>
      {users.map(({ username, role, disabled, password, seenAt, createdAt, keys, entries, ...user }) => {
        const isChosen = chosen.includes(username);
        const badges = [
          role === "admin" ? "administrator" : isReservedName(username) && "reserved name",
          disabled && "disabled",
          !password && "no password",
        ];
        return (
          <tr key={username} className={isChosen ? table.selected : undefined}>
            <td className={table.action}>
              <Checkbox
                aria-label={`Select ${username}`}
                checked={isChosen}
                onChange={() => onChoose(isChosen ? chosen.filter((one) => one !== username) : [...chosen, username])}
              />
            </td>
            <td className={styles.name}>
              <a href={`/admin/users?user=${username}`}>{username}</a>
              <small>{badges.filter(Boolean).join(", ")}</small>
            </td>
            <td className={table.number}>
              {seenAt ? <RelativeTime at={seenAt} /> : <span className={table.soft}>Never</span>}
            </td>
            <td className={`${table.number} ${styles.middle}`}>{keys.toLocaleString("en")}</td>
            <td className={`${table.number} ${table.wide}`}>{seenOf(entries).toLocaleString("en")}</td>
            <td className={`${table.number} ${styles.middle}`}>{readableBytes(user.keyBytes + user.fileBytes)}</td>
            <td className={`${table.number} ${table.wide}`}>
              <When at={createdAt} />
            </td>
          </tr>
        );
      })}
    </tbody>
  );
}
