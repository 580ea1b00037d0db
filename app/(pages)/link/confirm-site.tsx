"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/buttons";
import { Form } from "@/components/form";
import { LiveRefresh } from "@/components/live-refresh";
import { SteadyButton } from "@/components/steady-button";
import type { LinkRequest } from "@/lib/link/view";
import type { Access } from "@/lib/platform/access";
import { siteOf } from "@/lib/platform/user-agent";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { decide } from "./actions";
import { AnotherAccount, FromElsewhere, ProvesElsewhere } from "./confirm-request";
import styles from "./page.module.css";
import { Countdown, FollowRequest } from "./waiting";

const WANTS: Record<Access, string> = {
  identity: " wants to know who you are",
  read: " wants to read your keys and files",
  everything: " wants full access to your account",
};

interface Props {
  /** The origin that the browser vouches for. */
  opener: string;
  username: string;
  request: LinkRequest;
  ticketId: string;
  /** Binds the decision to this request and session. */
  ticket: string;
  /** The fields for the token that the site gets. */
  children: ReactNode;
}

/**
 * What the page of a site asks that opened this window, and proved which one it is: there are no letters to compare.
 * The site is named on the button, and another one to which it will prove who its visitor is, because the page may have
 * made the window so small that nothing else is in it.
 */
export function ConfirmSite({ opener, username, request, ticketId, ticket, children }: Props) {
  const { run, busy, error } = useAction();
  const site = siteOf(opener);
  const access = request.access ?? "everything";
  const elsewhere = request.audience?.isAnothers ? request.audience.text : null;
  return (
    <div className={styles.page}>
      <h1 className={styles.asking}>
        <strong translate="no">{site}</strong>
        <span>{WANTS[access]}</span>
      </h1>
      <Form onSubmit={(fields) => run(decide, fields)} className={styles.card}>
        <FromElsewhere request={request} />
        <div className={styles.facts}>
          <p>
            Signed in as <strong translate="no">{username}</strong>. <AnotherAccount ticketId={ticketId} />
          </p>
          <p className="small">Your browser has confirmed the site's address.</p>
        </div>
        <input type="hidden" name="ticket" value={ticket} />
        {children}
        <ProvesElsewhere request={request} />
        {access !== "identity" && (
          <p className={styles.caution}>Allow it only if you trust this site with your keys and files.</p>
        )}
        <div className={styles.decision}>
          <ErrorNotice error={error} />
          <SteadyButton type="submit" name="decision" value="approve" loading={busy} className={styles.equal}>
            <span className={styles.asking}>
              <span>{elsewhere ? "Let " : access === "identity" ? "Sign in to " : "Give access to "}</span>
              <span translate="no">{site}</span>
              {elsewhere && (
                <span>
                  {" "}
                  prove to <bdi translate="no">{elsewhere}</bdi> that it's you
                </span>
              )}
            </span>
          </SteadyButton>
          <Button type="submit" name="decision" value="deny" variant="default" disabled={busy} className={styles.equal}>
            Cancel
          </Button>
        </div>
        <p className="small">
          <Countdown seconds={request.secondsLeft} before="This request expires in " />
        </p>
        <LiveRefresh seconds={5} />
      </Form>
      <FollowRequest ticket={ticket} version={request.version} />
    </div>
  );
}
