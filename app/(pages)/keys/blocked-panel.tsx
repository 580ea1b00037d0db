"use client";

import { Button } from "@/components/buttons";
import rows from "@/components/content.module.css";
import { Dialog } from "@/components/dialog";
import { Actions } from "@/components/page";
import { SteadyButton } from "@/components/steady-button";
import { When } from "@/components/time";
import type { BlockedGiver } from "@/lib/keys/block";
import { counted } from "@/lib/platform/bounds";
import { ActionButton, ActionError, ActionGroup } from "../action-form";
import { useUndo } from "../use-action";
import { block, unblock } from "./actions";

interface BlockDialogProps {
  /** A key of the giver to block. */
  of: { creator: string; ofCreator: number | null };
  onClose: () => void;
  onDone: () => void;
}

/** Asks before blocking somebody, and whether to leave all keys of theirs. */
export function BlockDialog({ of: { creator: name, ofCreator }, onClose, onDone }: BlockDialogProps) {
  const all = ofCreator === 1 ? "the key" : `all ${counted(ofCreator ?? 0, "key", "keys")}`;

  function finish() {
    onClose();
    onDone();
  }

  return (
    <Dialog onClose={onClose} title={`Block ${name}?`}>
      <p>
        From now on, you won't receive keys that <span translate="no">{name}</span> adds you to.{" "}
        <span translate="no">{name}</span> isn't told, and still sees you among the holders of such a key.
      </p>
      <p>{`You can also leave ${all} that ${name} gave you. After that, only ${name} can add you again.`}</p>
      <ActionGroup>
        <ActionError />
        <Actions>
          <ActionButton
            as={SteadyButton}
            variant="filled"
            color="red"
            action={block}
            input={{ username: name, andLeave: true }}
            done={(left) => `${name} is blocked, and you left ${counted(left, "key", "keys")}.`}
            onDone={finish}
          >
            {`Block and leave ${all}`}
          </ActionButton>
          <ActionButton
            as={SteadyButton}
            action={block}
            input={{ username: name, andLeave: false }}
            done={`${name} is blocked.`}
            onDone={finish}
          >
            Block only
          </ActionButton>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Actions>
      </ActionGroup>
    </Dialog>
  );
}

/** The givers whom the caller blocks, with buttons to unblock them. Nothing if there are none. */
export function BlockedPanel({ blocked }: { blocked: BlockedGiver[] }) {
  const offerUndo = useUndo();
  return (
    <ActionGroup>
      {blocked.length > 0 && (
        <section className="stack" aria-labelledby="blocked">
          <h2 id="blocked">Blocked</h2>
          <p className="soft">
            You don't get the keys they add you to, and they aren't told. Once unblocked, they have to add you again.
          </p>
          <ul className={rows.list} aria-label="Blocked people">
            {blocked.map(({ username, since }) => (
              <li key={username}>
                <span>
                  <strong translate="no">{username}</strong>
                  <span className="detail">
                    Blocked <When at={since} />
                  </span>
                </span>
                <ActionButton
                  as={SteadyButton}
                  size="xs"
                  aria-label={`Unblock ${username}`}
                  action={unblock}
                  input={username}
                  onDone={() =>
                    offerUndo(
                      `${username} can add you to keys again.`,
                      () => block({ username, andLeave: false }),
                      `${username} is blocked again.`,
                    )
                  }
                >
                  Unblock
                </ActionButton>
              </li>
            ))}
          </ul>
        </section>
      )}
      <ActionError />
    </ActionGroup>
  );
}
