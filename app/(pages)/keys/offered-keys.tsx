"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import { Actions, Panel } from "@/components/panel";
import { When } from "@/components/when";
import type { Offer } from "@/lib/keys/offers";
import { ErrorNotice } from "../error-notice";
import { OfAUser } from "../of-a-user";
import { useAction } from "../use-action";
import styles from "./keys.module.css";
import { decideOffers } from "./offer-actions";

/** Keys that others want to hand over to the viewer, to accept or decline. Nothing if there are none. */
export function OfferedKeys({ offers, total }: { offers: Offer[]; total: number }) {
  const { run, busy, error, done, setDone, setError } = useAction();
  const [pressed, setPressed] = useState("");

  async function press(on: Offer[], accepts: boolean) {
    setPressed(nameOf(on, accepts));
    const sent = on.map(({ id, at, changedAt }) => ({ id, at, changedAt }));
    const answer = await run(() => decideOffers(sent, accepts));
    if (!answer) return;
    const { done: count, refused } = answer.ok;
    const keys = count === 1 ? "1 key" : `${count} keys`;
    if (refused !== undefined) return setError(refused);
    setDone(accepts ? `${keys} ${count === 1 ? "is" : "are"} yours now.` : `You declined ${keys}.`);
  }

  const button = (on: Offer[], accepts: boolean, label: string, about: string) => (
    <Button
      size="xs"
      variant={accepts ? "filled" : "default"}
      aria-label={`${label} ${about}`}
      loading={busy && pressed === nameOf(on, accepts)}
      disabled={busy}
      onClick={() => press(on, accepts)}
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
            {offers.map((offer) => (
              <li key={offer.id}>
                <span>
                  <bdi translate="no">{offer.name.trim() || <i>Unnamed key</i>}</bdi> from{" "}
                  <strong translate="no">{offer.creator}</strong>
                  <OfAUser name={offer.creator} />
                  <br />
                  <span className={styles.soft}>
                    <span>{offer.holders === 1 ? "1 holder" : `${offer.holders.toLocaleString("en")} holders`}</span>,
                    offered <When at={offer.at} />
                  </span>
                </span>
                <Actions>
                  {button([offer], true, "Accept", offer.name || "the key")}
                  {button([offer], false, "Decline", offer.name || "the key")}
                </Actions>
              </li>
            ))}
          </ul>
          {offers.length > 1 && (
            <Actions>
              {button(offers, true, `Accept these ${offers.length}`, "keys")}
              {button(offers, false, `Decline these ${offers.length}`, "keys")}
            </Actions>
          )}
        </Panel>
      )}
    </>
  );
}

const nameOf = (on: Offer[], accepts: boolean) => `${on.length === 1 ? on[0]?.id : "all"} ${accepts}`;
