"use client";

import { type ReactNode, useState } from "react";
import { signOutHere } from "@/components/auth";
import { Button } from "@/components/buttons";
import { Checkbox } from "@/components/checkbox";
import { Plate } from "@/components/code-display";
import { whyFailed } from "@/components/failures";
import { Form } from "@/components/form";
import { LiveRefresh } from "@/components/live-refresh";
import { SteadyButton } from "@/components/steady-button";
import { networkName, webPageName } from "@/components/words";
import type { LinkRequest } from "@/lib/link/view";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { decide } from "./actions";
import { addressOf } from "./address";
import { EnterAnother } from "./code-form";
import styles from "./page.module.css";
import { Countdown, FollowRequest, Since } from "./waiting";

interface Props {
  code: string;
  /** The code was entered in another script. */
  isTransliterated: boolean;
  /** Nobody has typed the code, so the user says that the program shows it. */
  mustCompare: boolean;
  /** The code of another request, entered since in another tab. */
  newer: string | null;
  username: string;
  request: LinkRequest;
  ticketId: string;
  /** Binds the decision to this request and session. */
  ticket: string;
  /** The fields for the token that the program gets. */
  children: ReactNode;
}

/** What helps a user notice somebody else's code, in one view with the two decisions, which have the same size. */
export function ConfirmRequest(props: Props) {
  const { code, isTransliterated, mustCompare, newer, username, request, ticketId, ticket, children } = props;
  const { run, busy, error } = useAction();

  return (
    <div className={styles.page}>
      <h1 className={styles.asking}>
        Link {request.name ? <strong translate="no">{request.name}</strong> : <span>this program</span>} to{" "}
        <span translate="no">{username}</span>?
      </h1>
      <Form onSubmit={(fields) => run(decide, fields)} className={styles.card}>
        <div className={styles.compare}>
          <Plate code={code} />
          <p>
            <strong>{request.webPage === null ? "Same letters in your program?" : "Same letters on that page?"}</strong>
            <span>
              {isTransliterated
                ? " You typed letters from another alphabet; these are the Latin letters they look like."
                : ""}
            </span>
          </p>
          {mustCompare && (
            <Checkbox
              size="md"
              name="compared"
              required
              label={
                <>
                  <span>{`Yes, ${request.webPage === null ? "my program" : "that page"} shows `}</span>
                  <strong translate="no">{`${code.slice(0, 3)} ${code.slice(3)}`}</strong>
                </>
              }
            />
          )}
          {newer !== null && (
            <p role="status" className={styles.warning}>
              Another program asks in another tab, with the letters <span translate="no">{newer}</span>. This page is
              about <span translate="no">{code}</span> only.
            </p>
          )}
        </div>
        {request.webPage !== null && (
          <p role="alert" className={styles.contested}>
            <strong>{`${webPageName(request.webPage)} is asking for access.`}</strong> Deny it unless you opened that
            page yourself to link it.
          </p>
        )}
        <FromElsewhere request={request} />
        <div className={styles.facts}>
          <p>
            Signed in as <strong translate="no">{username}</strong>. <AnotherAccount ticketId={ticketId} />
          </p>
          <p className="small">
            <Since seconds={request.secondsSinceRequested} />
            <span>{request.requested.isYours ? ", from your network" : ""}</span>. <span>{chosenName(request)}</span>
          </p>
        </div>
        <input type="hidden" name="ticket" value={ticket} />
        {children}
        <ProvesElsewhere request={request} />
        <p className={styles.caution}>
          Link it only if you started it yourself, just now. If someone gave you this code, deny it.
        </p>
        <div className={styles.decision}>
          <ErrorNotice error={error} />
          <SteadyButton type="submit" name="decision" value="approve" loading={busy} className={styles.equal}>
            Link this program
          </SteadyButton>
          <Button
            type="submit"
            name="decision"
            value="deny"
            formNoValidate
            variant="default"
            disabled={busy}
            className={styles.equal}
          >
            Deny
          </Button>
        </div>
        <p className="small">
          <Countdown seconds={request.secondsLeft} before="Code expires in " />
        </p>
        <LiveRefresh seconds={5} />
      </Form>
      <FollowRequest ticket={ticket} version={request.version} />
      <EnterAnother ticketId={ticketId}>Enter another code</EnterAnother>
    </div>
  );
}

/** What the program says of itself, which anybody could say. */
function chosenName({ name, program, webPage }: LinkRequest): string {
  if (webPage !== null) return "";
  if (name !== "") return `The program chose the name “${name}” itself. Nobody has verified it.`;
  return program === "" ? "The program doesn't give a name." : `The program says it is ${program}.`;
}

/** Warns of a request that came from another network. */
export function FromElsewhere({ request: { requested } }: { request: LinkRequest }) {
  if (requested.isYours !== false) return null;
  const network = requested.network === null ? "" : `: ${networkName(requested.network)}`;
  return (
    <p role="alert" className={styles.contested}>
      <strong>{`The request came from another network${network}.`}</strong> Deny it unless your program runs there.
    </p>
  );
}

/** What it means that a program asks for another's audience: whoever takes these proofs takes it for its user. */
export function ProvesElsewhere({ request: { audience, name, webPage } }: { request: LinkRequest }) {
  if (!audience?.isAnothers) return null;
  // A program has no site, so its server has another name. A page has one, and asks for somebody else's.
  const how = webPage === null ? { className: styles.caution } : { className: styles.contested, role: "alert" };
  return (
    <p {...how}>
      <strong>
        {name ? <bdi translate="no">{name}</bdi> : <span>This program</span>}
        {" can then sign in to "}
        <bdi translate="no">{audience.text}</bdi> as you.
      </strong>{" "}
      Allow it only if you trust it with that.
    </p>
  );
}

/** Signs out and returns here; the code is stored. */
export function AnotherAccount({ ticketId }: { ticketId: string }) {
  const [error, setError] = useState("");

  async function change() {
    try {
      await signOutHere(addressOf(ticketId));
    } catch (thrown) {
      setError(await whyFailed(thrown));
    }
  }

  return (
    <>
      <button type="button" className={styles.quiet} onClick={change}>
        Use another account
      </button>
      {error && <span className="soft">{` ${error}`}</span>}
    </>
  );
}
