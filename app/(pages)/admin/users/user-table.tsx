"use client";

import { useState } from "react";
import { Checkbox } from "@/components/checkbox";
import { SteadyButton } from "@/components/steady-button";
import { DataTable, SelectAll, SelectionBar, SortHead, type Sorting } from "@/components/table";
import table from "@/components/table.module.css";
import { RelativeTime, When } from "@/components/time";
import { readableBytes } from "@/components/words";
import { isReservedName } from "@/lib/accounts/identity/reserved-names";
import type { ListedUser } from "@/lib/operator/users/list";
import type { Sort } from "@/lib/operator/users/queries";
import type { ForOne } from "@/lib/operator/users/update";
import { counted, seenOf } from "@/lib/platform/bounds";
import { ActionButton, ActionError, ActionGroup } from "../../action-form";
import { disable, enable } from "./actions";
import styles from "./users.module.css";

interface UserTableProps {
  users: ListedUser[];
  sorting: Sorting<Sort>;
}

/** A page of users, several of whom can be disabled or enabled at once. */
export function UserTable({ users, sorting }: UserTableProps) {
  const [chosen, setChosen] = useState<string[]>([]);
  const [refused, setRefused] = useState<ForOne[]>([]);
  const names = users.map(({ username }) => username);

  function showRefused(results: ForOne[]) {
    const refused = refusedOf(results);
    setRefused(refused);
    setChosen(refused.map(({ username }) => username));
  }

  const head = (column: Sort, label: string, className?: string) => (
    <SortHead sorting={sorting} column={column} label={label} className={className} />
  );
  return (
    <ActionGroup>
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
      <ActionError />
      {refused.length > 0 && (
        <ul className={styles.refused}>
          {refused.map(({ username, refused }) => (
            <li key={username}>
              <strong translate="no">{username}</strong>: <span>{refused}</span>
            </li>
          ))}
        </ul>
      )}
      {chosen.length > 0 && (
        <SelectionBar count={chosen.length} onClear={() => setChosen([])}>
          <ActionButton
            as={SteadyButton}
            size="sm"
            action={enable}
            input={chosen}
            done={(results) => inWords(results, "enabled")}
            onDone={showRefused}
          >
            Enable
          </ActionButton>
          <ActionButton
            as={SteadyButton}
            size="sm"
            variant="filled"
            color="red"
            action={disable}
            input={chosen}
            done={(results) => inWords(results, "disabled")}
            onDone={showRefused}
          >
            Disable
          </ActionButton>
        </SelectionBar>
      )}
    </ActionGroup>
  );
}

const refusedOf = (results: ForOne[]) => results.filter(({ refused }) => refused !== null);

function inWords(results: ForOne[], what: string): string {
  const count = results.length - refusedOf(results).length;
  return count > 0 ? `${counted(count, "user", "users")} ${what}.` : "";
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
              {seenAt ? <RelativeTime at={seenAt} /> : <span className="soft">Never</span>}
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
