"use client";

import { useState } from "react";
import { SteadyButton } from "@/components/steady-button";
import { DataTable, SelectionBar, type Sorting } from "@/components/table";
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

  function showRefused(results: ForOne[]) {
    const refused = refusedOf(results);
    setRefused(refused);
    setChosen(refused.map(({ username }) => username));
  }

  return (
    <ActionGroup>
      <DataTable
        label="Users"
        rows={users}
        keyOf={({ username }) => username}
        sorting={sorting}
        selection={{ chosen, onChoose: setChosen, nameOf: ({ username }) => username }}
        columns={{
          name: { head: "Name", className: styles.name, cell: Name },
          seen: { head: "Last seen", looks: "number", cell: Seen },
          keys: {
            head: "Keys",
            looks: "number",
            className: styles.middle,
            cell: ({ keys }) => keys.toLocaleString("en"),
          },
          files: { head: "Files", looks: "number wide", cell: ({ entries }) => seenOf(entries).toLocaleString("en") },
          bytes: {
            head: "Stored",
            looks: "number",
            className: styles.middle,
            cell: ({ keyBytes, fileBytes }) => readableBytes(keyBytes + fileBytes),
          },
          created: { head: "Created", looks: "number wide", cell: ({ createdAt }) => <When at={createdAt} /> },
        }}
      />
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

function Name({ username, role, disabled, password }: ListedUser) {
  const badges = [
    role === "admin" ? "administrator" : isReservedName(username) && "reserved name",
    disabled && "disabled",
    !password && "no password",
  ];
  return (
    <>
      <a href={`/admin/users?user=${username}`}>{username}</a>
      <small className="detail">{badges.filter(Boolean).join(", ")}</small>
    </>
  );
}

function Seen({ seenAt }: ListedUser) {
  return seenAt ? <RelativeTime at={seenAt} /> : <span className="soft">Never</span>;
}
