"use client";

import type { ReactNode } from "react";
import { When } from "@/components/content/time";
import { Button } from "@/components/controls/button";
import { Actions, Panel } from "@/components/frame/panel";
import type { News } from "@/lib/keys/view";
import { counted, durationInWords, ENDS_SOON_MS } from "@/lib/platform/bounds";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { hideNews } from "./actions";
import styles from "./keys.module.css";

/** What the viewer should know: keys received, accesses that end soon, claims. Nothing if there is no news. */
export function KeyNews({ news: { at, received, ending, claimed } }: { news: News }) {
  const { run, busy, error } = useAction();
  const isNew = received.total + claimed.total > 0;
  if (!isNew && ending.total === 0) return null;
  return (
    <Panel title="What's new">
      <ul className={styles.news}>
        <Lines
          of={ending}
          more={(others) =>
            `${counted(others, "more key", "more keys")} will end within ${durationInWords(ENDS_SOON_MS / 1_000)}.`
          }
        >
          {({ id, name, user, at }) => (
            <span>
              Your access to <KeyLink id={id} name={name} /> ends on <When at={at} precise />. Ask{" "}
              <span translate="no">{user}</span> to extend it.
            </span>
          )}
        </Lines>
        <Lines of={received} more={(others) => `${counted(others, "more key was", "more keys were")} given to you.`}>
          {({ id, name, user, at }) => (
            <span>
              <strong translate="no">{user}</strong> gave you <KeyLink id={id} name={name} /> on <When at={at} />.
            </span>
          )}
        </Lines>
        <Lines of={claimed} more={(others) => `Your keys were accepted ${counted(others, "more time", "more times")}.`}>
          {({ id, name, user, at }) => (
            <span>
              <strong translate="no">{user}</strong> accepted <KeyLink id={id} name={name} /> with a claim link on{" "}
              <When at={at} />.
            </span>
          )}
        </Lines>
      </ul>
      <ErrorNotice error={error} />
      {isNew && (
        <Actions>
          <Button size="xs" variant="default" loading={busy} onClick={() => run(() => hideNews(at))}>
            Mark as read
          </Button>
        </Actions>
      )}
    </Panel>
  );
}

type Item = News["received"]["items"][number];

interface LinesProps {
  of: News["received"];
  /** The line about those that are not listed. */
  more: (others: number) => string;
  children: (item: Item) => ReactNode;
}

function Lines({ of, more, children }: LinesProps) {
  const others = of.total - of.items.length;
  return (
    <>
      {of.items.map((item) => (
        <li key={`${item.id} ${item.user} ${item.at.getTime()}`}>{children(item)}</li>
      ))}
      {others > 0 && <li className={styles.soft}>{more(others)}</li>}
    </>
  );
}

function KeyLink({ id, name }: { id: string; name: string }) {
  return (
    <a href={`/keys?key=${id}`}>
      <bdi translate="no">{name.trim() || <i>Unnamed key</i>}</bdi>
    </a>
  );
}
