import { Button } from "../button";
import rows from "../row-list.module.css";
import { When } from "../when";

interface BlockedListProps {
  blocked: { username: string; since: Date }[];
  onUnblock: (username: string) => void;
  /** The user whose button was pressed. */
  unblocking: string | null;
}

/** The users whom the viewer blocks, each with a button to unblock. */
export function BlockedList({ blocked, onUnblock, unblocking }: BlockedListProps) {
  return (
    <ul className={rows.list} aria-label="Blocked people">
      {blocked.map(({ username, since }) => (
        <li key={username}>
          <span>
            <strong translate="no">{username}</strong>
            <span className={rows.detail}>
              Blocked <When at={since} />
            </span>
          </span>
          <Button
            variant="default"
            size="xs"
            aria-label={`Unblock ${username}`}
            loading={unblocking === username}
            disabled={unblocking !== null && unblocking !== username}
            onClick={() => onUnblock(username)}
          >
            Unblock
          </Button>
        </li>
      ))}
    </ul>
  );
}
