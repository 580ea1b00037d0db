"use client";

import { useState } from "react";
import { When } from "@/components/content/time";
import { Form } from "@/components/controls/form";
import form from "@/components/controls/form.module.css";
import { SteadyButton } from "@/components/controls/steady-button";
import { UserField } from "@/components/controls/user-field";
import { Notice } from "@/components/feedback/notice";
import { Actions, Panel } from "@/components/frame/panel";
import type { Offer } from "@/lib/keys/offers";
import { ErrorNotice } from "../error-notice";
import { OfAUser } from "../names";
import { useAction } from "../use-action";
import { decideOffers, offer, withdraw } from "./actions";
import styles from "./keys.module.css";

/** Keys that others want to hand over to the viewer, to accept or decline. Nothing if there are none. */
export function OfferedKeys({ offers, total }: { offers: Offer[]; total: number }) {
  const { run, busy, error, done, setDone, setError } = useAction();
  const [pressed, setPressed] = useState("");

  async function press(on: Offer[], accepts: boolean) {
    setPressed(nameOf(on, accepts));
    const displayed = on.map(({ id, at, changedAt }) => ({ id, at, changedAt }));
    const outcome = await run((_: undefined, press: string) => decideOffers({ offers: displayed, accepts, press }));
    if (!outcome) return;
    const { done: count, refused } = outcome.ok;
    const keys = count === 1 ? "1 key" : `${count} keys`;
    if (refused !== undefined) return setError(refused);
    setDone(accepts ? `${keys} ${count === 1 ? "is" : "are"} now yours.` : `You declined ${keys}.`);
  }

  const button = (on: Offer[], accepts: boolean) => {
    const verb = accepts ? "Accept" : "Decline";
    const [label, about] = on.length === 1 ? [verb, on[0]?.name || "the key"] : [`${verb} these ${on.length}`, "keys"];
    return (
      <SteadyButton
        size="xs"
        variant={accepts ? "filled" : "default"}
        aria-label={`${label} ${about}`}
        loading={busy && pressed === nameOf(on, accepts)}
        disabled={busy}
        onClick={() => press(on, accepts)}
      >
        {label}
      </SteadyButton>
    );
  };
  const hasOffers = offers.length > 0;
  return (
    <>
      <Notice kind="done">{done}</Notice>
      <ErrorNotice error={error} />
      {hasOffers && (
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
                  {button([offer], true)}
                  {button([offer], false)}
                </Actions>
              </li>
            ))}
          </ul>
          {offers.length > 1 && (
            <Actions>
              {button(offers, true)}
              {button(offers, false)}
            </Actions>
          )}
        </Panel>
      )}
    </>
  );
}

const nameOf = (on: Offer[], accepts: boolean) => `${on.length === 1 ? on[0]?.id : "all"} ${accepts}`;

/** Offers a key to another user, or withdraws the offer. */
export function OfferKey({ keyId, offer: open }: { keyId: string; offer: { user: string; at: Date } | null }) {
  const { run, busy, failure, error, errorAt, done, setDone, clear } = useAction();

  async function submit(fields: FormData) {
    const outcome = await run(offer, { keyId, username: String(fields.get("username")) });
    if (outcome) setDone(`The key is offered to ${outcome.ok.user}.`);
  }

  async function withdrawOffer() {
    if (await run(withdraw, keyId)) setDone("The offer has been withdrawn.");
  }

  return (
    <>
      {open ? (
        <div className={styles.offered}>
          <p>
            Offered to <strong translate="no">{open.user}</strong> on <When at={open.at} />. Until they accept, the key
            stays yours.
          </p>
          <SteadyButton size="sm" variant="default" onClick={withdrawOffer} loading={busy}>
            Withdraw offer
          </SteadyButton>
        </div>
      ) : (
        <>
          <p className={styles.soft}>
            Another user becomes its creator once they accept on their Keys page. You and all other holders keep access.
          </p>
          <Form onSubmit={submit} failure={failure} onEdit={clear} className={`${form.row} ${styles.narrow}`}>
            <UserField label="New creator" error={errorAt("username")} />
            <SteadyButton type="submit" variant="default" loading={busy}>
              Offer
            </SteadyButton>
          </Form>
        </>
      )}
      <ErrorNotice error={error} />
      <Notice kind="done">{done}</Notice>
    </>
  );
}
