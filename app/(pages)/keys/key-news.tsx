"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/button";
import { Actions, Panel } from "@/components/panel";
import { When } from "@/components/when";
import type { News } from "@/lib/keys/news";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import styles from "./keys.module.css";
import { hideNews } from "./news-actions";

/** What the viewer should know: keys that were given, accesses that end soon, claims. Nothing if there is no news. */
export function KeyNews({ news: { at, given, ending, claimed } }: { news: News }) {
  const { run, busy, error } = useAction();
  const isNew = given.total + claimed.total > 0;
  if (!isNew && ending.total === 0) return null;
  return (
    <Panel title="What's new">
      <ul className={styles.news}>
        <Lines of={ending} more="more keys of others end within a week">
          {({ id, name, user, at }) => (
            <>
              Your access to <KeyLink id={id} name={name} /> ends on <When at={at} precise />. Ask {user} to extend it.
            </>
          )}
        </Lines>
        <Lines of={given} more="more keys were given to you">
          {({ id, name, user, at }) => (
            <>
              <strong>{user}</strong> gave you <KeyLink id={id} name={name} /> on <When at={at} />.
            </>
          )}
        </Lines>
        <Lines of={claimed} more="more claims of your keys">
          {({ id, name, user, at }) => (
            <>
              <strong>{user}</strong> accepted <KeyLink id={id} name={name} /> with a claim link on <When at={at} />.
            </>
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

type Item = News["given"]["items"][number];

function Lines({ of, more, children }: { of: News["given"]; more: string; children: (item: Item) => ReactNode }) {
  const others = of.total - of.items.length;
  return (
    <>
      {of.items.map((item) => (
        <li key={`${item.id} ${item.user} ${item.at.getTime()}`}>{children(item)}</li>
      ))}
      {others > 0 && (
        <li className={styles.soft}>
          {others.toLocaleString("en")} {more}
        </li>
      )}
    </>
  );
}

function KeyLink({ id, name }: { id: string; name: string }) {
  return (
    <a href={`/keys?key=${id}`}>
      <bdi>{name.trim() || <i>Unnamed key</i>}</bdi>
    </a>
  );
}
