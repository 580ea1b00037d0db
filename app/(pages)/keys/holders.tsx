import type { ReactNode } from "react";
import { DataTable } from "@/components/content/table";
import tableStyles from "@/components/content/table.module.css";
import { When } from "@/components/content/time";
import { Button } from "@/components/controls/button";
import { SteadyButton } from "@/components/controls/steady-button";
import { Actions } from "@/components/frame/panel";
import type { ChangeResult } from "@/lib/keys/many";
import { counted } from "@/lib/platform/bounds";
import type { PageAction } from "../action";
import { ActionButton, ActionError, ActionGroup } from "../action-form";
import { OfAUser } from "../names";
import styles from "./keys.module.css";

export interface Holder {
  username: string;
  since: Date;
  /** When the access ends; null if never. */
  until: Date | null;
  /** That time has come: the user holds nothing. */
  isEnded: boolean;
  isCreator: boolean;
}

export type RevokeHolder = PageAction<{ keyId: string; username: string }, { user: string; revoked: boolean }>;

interface HoldersProps {
  keyId: string;
  holders: Holder[];
  revoke: RevokeHolder;
  onRevoked: () => void;
  /** Asks when the access ends. */
  onEnd: (holder: Holder) => void;
}

/**
 * The holders of a key, and those whose access has ended, each but the creator with buttons to change the end and to
 * revoke it.
 */
export function Holders({ holders, ...actions }: HoldersProps) {
  return (
    <ActionGroup>
      <DataTable className={tableStyles.table} aria-label="Holders">
        <thead>
          <tr>
            <th>User</th>
            <th className={tableStyles.wide}>Since</th>
            <th>Access ends</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {holders.map((holder) => (
            <tr key={holder.username}>
              <td className={tableStyles.person}>
                <span translate="no">{holder.username}</span>
                <OfAUser name={holder.username} />
              </td>
              <td className={tableStyles.wide}>
                <When at={holder.since} />
              </td>
              <td className={tableStyles.ends}>
                <End {...holder} />
              </td>
              <td className={tableStyles.action}>
                {holder.isCreator ? (
                  <span className={tableStyles.soft}>Creator</span>
                ) : (
                  <HolderButtons holder={holder} {...actions} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </DataTable>
      <ActionError />
    </ActionGroup>
  );
}

function End({ until, isEnded }: Holder) {
  if (until === null) return <span className={tableStyles.soft}>Never</span>;
  return isEnded ? (
    <span className={tableStyles.ended}>
      Ended <When at={until} precise />
    </span>
  ) : (
    <When at={until} precise />
  );
}

interface HolderButtonsProps extends Omit<HoldersProps, "holders"> {
  holder: Holder;
}

function HolderButtons({ keyId, holder, revoke, onRevoked, onEnd }: HolderButtonsProps) {
  const { username, isEnded } = holder;
  return (
    <span className={tableStyles.buttons}>
      <Button
        variant="default"
        size="xs"
        aria-label={isEnded ? `Extend the access of ${username}` : `Change end of access of ${username}`}
        onClick={() => onEnd(holder)}
      >
        {isEnded ? "Extend" : "Change end"}
      </Button>
      <ActionButton
        as={SteadyButton}
        size="xs"
        aria-label={isEnded ? `Remove ${username} from the list` : `Revoke ${username}`}
        action={revoke}
        input={{ keyId, username }}
        done={({ user, revoked }) => {
          if (revoked) return `${user} no longer holds the key.`;
          return isEnded ? `${user} is no longer on the list.` : `${user} was no longer a holder.`;
        }}
        onDone={onRevoked}
      >
        {isEnded ? "Remove" : "Revoke"}
      </ActionButton>
    </span>
  );
}

export type HolderChange = "add" | "revoke";

/** How many were changed, as “2 of 3 keys”. */
export const changedOf = (results: ChangeResult[], one: string, many: string) =>
  `${results.filter(({ changed }) => changed).length} of ${counted(results.length, one, many)}`;

interface ChangeResultsProps {
  change: HolderChange;
  results: ChangeResult[];
  nameOf: (item: string) => ReactNode;
  onClose: () => void;
  /** What was done to all. */
  children: ReactNode;
}

/** What became of each of many keys or users: those that were refused first. */
export function ChangeResults({ change, results, nameOf, onClose, children }: ChangeResultsProps) {
  const [done, unchanged] = change === "add" ? ["Added", "Already held it"] : ["Access revoked", "Didn't hold it"];
  const sorted = [...results.filter(({ error }) => error), ...results.filter(({ error }) => !error)];
  return (
    <>
      <p role="status">{children}</p>
      <ul className={styles.names}>
        {sorted.map(({ item, changed, error }) => (
          <li key={item}>
            {nameOf(item)}{" "}
            <span className={error ? styles.refused : styles.soft}>{error ?? (changed ? done : unchanged)}</span>
          </li>
        ))}
      </ul>
      <Actions>
        {/* The pressed button has disappeared, and the keyboard focus with it. */}
        <Button autoFocus onClick={onClose}>
          Done
        </Button>
      </Actions>
    </>
  );
}
