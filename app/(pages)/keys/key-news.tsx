"use client";

import type { ReactNode } from "react";
import { KeyTitle } from "@/components/content";
import { Actions } from "@/components/page";
import { When } from "@/components/time";
import type { KeyItem, News } from "@/lib/keys/news";
import { counted, durationInWords, ENDS_SOON_MS } from "@/lib/platform/bounds";
import styles from "../_keys/keys.module.css";
import { ActionButton } from "../action-form";
import { hideNews } from "./actions";

/**
 * What the viewer should know: keys received, accesses that end soon, claims, by whom. Folded, it says how much there
 * is. Nothing if there is no news.
 */
export function KeyNews({ news: { at, received, ending, claimed } }: { news: News }) {
  const latest = received.total + claimed.total;
  if (latest + ending.total === 0) return null;
  const counts = [latest > 0 && `${latest.toLocaleString("en")} new`, ending.total > 0 && endingInWords(ending.total)];
  const users = [...new Set([ending, received, claimed].flatMap(({ items }) => items.map(({ user }) => user)))];
  return (
    <details className={styles.news}>
      <summary>
        <strong>What's new</strong>
        <span>
          <span>{counts.filter(Boolean).join(", ")}</span> · <u>Show</u>
          <u>Hide</u>
        </span>
      </summary>
      {users.map((user) => (
        <OfUser
          key={user}
          user={user}
          received={received.items.filter((item) => item.user === user)}
          ending={ending.items.filter((item) => item.user === user)}
          claimed={claimed.items.filter((item) => item.user === user)}
        />
      ))}
      <Others of={ending}>
        {(others) =>
          `${counted(others, "more key", "more keys")} will end within ${durationInWords(ENDS_SOON_MS / 1_000)}.`
        }
      </Others>
      <Others of={received}>{(others) => `${counted(others, "more key was", "more keys were")} given to you.`}</Others>
      <Others of={claimed}>
        {(others) => `Your keys were accepted ${counted(others, "more time", "more times")}.`}
      </Others>
      {latest > 0 && (
        <Actions>
          <ActionButton size="xs" action={hideNews} input={at}>
            Mark as read
          </ActionButton>
        </Actions>
      )}
    </details>
  );
}

const endingInWords = (total: number) => `${total.toLocaleString("en")} ${total === 1 ? "ends" : "end"} soon`;

interface OfUserProps {
  user: string;
  received: KeyItem[];
  ending: KeyItem[];
  claimed: KeyItem[];
}

function OfUser({ user, received, ending, claimed }: OfUserProps) {
  return (
    <section>
      <h2 translate="no">{user}</h2>
      <ul>
        {ending.map((item) => (
          <li key={item.id}>
            Your access to <KeyLink {...item} /> ends on <When at={item.at} precise />
          </li>
        ))}
        {received.length > 0 && (
          <li>
            Gave you <KeyLinks items={received} />
          </li>
        )}
        {claimed.length > 0 && (
          <li>
            Accepted <KeyLinks items={claimed} /> with a claim link
          </li>
        )}
      </ul>
    </section>
  );
}

function KeyLinks({ items }: { items: KeyItem[] }) {
  return items.map((item, n) => (
    <span key={`${item.id} ${item.at.getTime()}`}>
      <span>{n > 0 && ", "}</span>
      <KeyLink {...item} />
    </span>
  ));
}

/** The line about those that are not listed. */
function Others({ of: { total, items }, children }: { of: News["received"]; children: (others: number) => ReactNode }) {
  const others = total - items.length;
  return others > 0 && <p className="soft">{children(others)}</p>;
}

function KeyLink({ id, name }: KeyItem) {
  return (
    <a href={`/keys?key=${id}`}>
      <KeyTitle name={name} />
    </a>
  );
}
