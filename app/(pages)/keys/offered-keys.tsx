"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import { Actions, Panel } from "@/components/panel";
import { When } from "@/components/when";
import type { Offer } from "@/lib/keys/offers/list";
import { ErrorNotice } from "../error-notice";
import { OfAUser } from "../of-a-user";
import { useAction } from "../use-action";
import styles from "./keys.module.css";
import { decideOffers } from "./offer-actions";

/** Keys that others want to hand over to the viewer, to accept or decline. Nothing if there are none. */
export function OfferedKeys({ offers, total }: { offers: Offer[]; total: number }) {
  const { run, busy, error, done, setDone, setError } = useAction();
  const [pressed, setPressed] = useState("");
  const all = offers.map(({ id }) => id);

  async function press(ids: string[], accepts: boolean) {
    setPressed(`${ids.length === 1 ? ids[0] : "all"} ${accepts}`);
    const answer = await run(() => decideOffers(ids, accepts));
    if (!answer) return;
    const { done: count, refused } = answer.ok;
    const keys = count === 1 ? "1 key" : `${count} keys`;
    if (refused !== undefined) return setError(refused);
    setDone(accepts ? `${keys} ${count === 1 ? "is" : "are"} yours now.` : `You declined ${keys}.`);
  }

  const button = (ids: string[], accepts: boolean, label: string, about: string) => (
    <Button
      size="xs"
      variant={accepts ? "filled" : "default"}
      aria-label={`${label} ${about}`}
      loading={busy && pressed === `${ids.length === 1 ? ids[0] : "all"} ${accepts}`}
      disabled={busy}
      onClick={() => press(ids, accepts)}
    >
      {label}
    </Button>
  );
  const isShown = offers.length > 0;
  return (
    <>
      <Notice kind="done">{done}</Notice>
      <ErrorNotice error={error} />
      {isShown && (
        <Panel
          title={total === 1 ? "A key is offered to you" : `${total.toLocaleString("en")} keys are offered to you`}
        >
          <p className={styles.soft}>
            If you accept, you become the creator: you manage the key, and it counts against your limits. Its holders
            keep it.
          </p>
          <ul className={styles.offers}>
            {offers.map(({ id, name, creator, at, holders }) => (
              <li key={id}>
                <span>
                  <bdi>{name.trim() || <i>Unnamed key</i>}</bdi> from <strong>{creator}</strong>
                  <OfAUser name={creator} />
                  <br />
                  <span className={styles.soft}>
                    {holders === 1 ? "1 holder" : `${holders.toLocaleString("en")} holders`}, offered <When at={at} />
                  </span>
                </span>
                <Actions>
                  {button([id], true, "Accept", name || "the key")}
                  {button([id], false, "Decline", name || "the key")}
                </Actions>
              </li>
            ))}
          </ul>
          {offers.length > 1 && (
            <Actions>
              {button(all, true, `Accept these ${all.length}`, "keys")}
              {button(all, false, `Decline these ${all.length}`, "keys")}
            </Actions>
          )}
        </Panel>
      )}
    </>
  );
}
