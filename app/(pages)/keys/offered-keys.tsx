"use client";

import { KeyTitle } from "@/components/content";
import { UserField } from "@/components/form";
import { Actions, Panel } from "@/components/page";
import form from "@/components/page.module.css";
import { SteadyButton } from "@/components/steady-button";
import { When } from "@/components/time";
import type { Offer } from "@/lib/keys/offers";
import { counted } from "@/lib/platform/bounds";
import styles from "../_keys/keys.module.css";
import type { Outcome } from "../action";
import { ActionButton, ActionError, ActionForm, ActionGroup, Submit } from "../action-form";
import { OfAUser } from "../names";
import { decideOffers, offer, withdraw } from "./actions";

/** Keys that others want to hand over to the viewer, to accept or decline. Nothing if there are none. */
export function OfferedKeys({ offers, total }: { offers: Offer[]; total: number }) {
  const button = (on: Offer[], accepts: boolean) => {
    const verb = accepts ? "Accept" : "Decline";
    const [label, about] = on.length === 1 ? [verb, on[0]?.name || "the key"] : [`${verb} these ${on.length}`, "keys"];
    return (
      <ActionButton
        as={SteadyButton}
        size="xs"
        variant={accepts ? "filled" : "default"}
        aria-label={`${label} ${about}`}
        action={decide}
        input={{ offers: on.map(({ id, at, changedAt }) => ({ id, at, changedAt })), accepts }}
        done={(count) =>
          accepts
            ? counted(count, "key is now yours.", "keys are now yours.")
            : `You declined ${counted(count, "key", "keys")}.`
        }
      >
        {label}
      </ActionButton>
    );
  };
  const hasOffers = offers.length > 0;
  return (
    <ActionGroup>
      <ActionError />
      {hasOffers && (
        <Panel
          title={total === 1 ? "A key is offered to you" : `${total.toLocaleString("en")} keys are offered to you`}
        >
          <p className="soft">
            If you accept, you become the creator: you manage the key, and it counts against your limits. Its holders
            keep it.
          </p>
          <ul className={styles.offers}>
            {offers.map((offer) => (
              <li key={offer.id}>
                <span>
                  <KeyTitle name={offer.name} /> from <strong translate="no">{offer.creator}</strong>
                  <OfAUser name={offer.creator} />
                  <br />
                  <span className="soft">
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
    </ActionGroup>
  );
}

/** Decides each of them. Returns how many, unless one was refused. */
async function decide(on: Omit<Parameters<typeof decideOffers>[0], "press">, press: string): Promise<Outcome<number>> {
  const outcome = await decideOffers({ ...on, press });
  if ("error" in outcome) return outcome;
  const { done, refused } = outcome.ok;
  return refused === undefined ? { ok: done } : { error: refused };
}

/** Offers a key to another user, or withdraws the offer. */
export function OfferKey({ keyId, offer: open }: { keyId: string; offer: { user: string; at: Date } | null }) {
  if (open)
    return (
      <div className={styles.offered}>
        <p>
          Offered to <strong translate="no">{open.user}</strong> on <When at={open.at} />. Until they accept, the key
          stays yours.
        </p>
        <ActionButton as={SteadyButton} size="sm" action={withdraw} input={keyId} done="The offer has been withdrawn.">
          Withdraw offer
        </ActionButton>
      </div>
    );
  return (
    <>
      <p className="soft">
        Another user becomes its creator once they accept on their Keys page. You and all other holders keep access.
      </p>
      <ActionForm
        action={offer}
        input={{ keyId }}
        done={({ user }) => `The key is offered to ${user}.`}
        className={`${form.row} ${styles.narrow}`}
        isRow
      >
        <UserField label="New creator" />
        <Submit as={SteadyButton} variant="default">
          Offer
        </Submit>
      </ActionForm>
    </>
  );
}
