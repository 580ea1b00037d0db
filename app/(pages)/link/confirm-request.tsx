"use client";

import { useState } from "react";
import { ACCESS_WORDS, describeWhereabouts, webPageName } from "@/components/content/words";
import { Button } from "@/components/controls/button";
import { Form } from "@/components/controls/form";
import form from "@/components/controls/form.module.css";
import { whyFailed } from "@/components/feedback/why-failed";
import { signOutHere } from "@/components/frame/sign-out";
import type { LinkRequest } from "@/lib/link/view";
import { ErrorNotice } from "../error-notice";
import { useAction } from "../use-action";
import { decide } from "./actions";
import { addressOf } from "./address";
import { EnterAnother } from "./code-form";
import { CodePlate, Countdown, Since } from "./countdown";
import { LiveRefresh } from "./live-refresh";
import styles from "./page.module.css";
import { TokenChoiceFields } from "./token-choice";

interface Props {
  code: string;
  /** The code was entered in another script. */
  isTransliterated: boolean;
  /** The code of another request, entered since in another tab. */
  newer: string | null;
  username: string;
  request: LinkRequest;
  ticketId: string;
  /** Binds the decision to this request and session. */
  ticket: string;
}

/** Everything that helps a user notice somebody else's code, and the two decisions in the same size. */
export function ConfirmRequest({ code, isTransliterated, newer, username, request, ticketId, ticket }: Props) {
  const { run, busy, error } = useAction();
  const isElsewhere = request.requested.isYours === false;

  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <h1 className={styles.asking}>
          Link {request.name ? <strong translate="no">{request.name}</strong> : <span>this program</span>} to{" "}
          <span translate="no">{username}</span>?
        </h1>
        {request.name !== "" && (
          <p className={form.lead}>{`The program chose the name “${request.name}” itself. Nobody has verified it.`}</p>
        )}
      </div>
      <div className={styles.card}>
        <div className={styles.compare}>
          <CodePlate code={code} />
          <p className={styles.small}>
            <span>
              {isTransliterated
                ? "You typed letters from another alphabet; these are the Latin letters they look like. "
                : ""}
            </span>
            The program must show the same letters.
          </p>
          {newer !== null && (
            <p role="status" className={styles.warning}>
              Another program asks in another tab, with the letters <span translate="no">{newer}</span>. This page is
              about <span translate="no">{code}</span> only.
            </p>
          )}
        </div>
        <dl className={styles.facts}>
          <dt>Account</dt>
          <dd>
            Signed in as <strong translate="no">{username}</strong> <AnotherAccount ticketId={ticketId} />
          </dd>
          <dt>Requested</dt>
          <dd className={isElsewhere ? styles.warning : undefined}>
            <Since seconds={request.secondsSinceRequested} />
            <span>{describeWhereabouts(request.requested, request.program)}</span>
          </dd>
          {!isElsewhere && (
            <>
              <dt>Program</dt>
              <dd>
                {request.program ? <span>{`It calls itself ${request.program}`}</span> : "It doesn't give a name"}
              </dd>
            </>
          )}
          {request.access && (
            <>
              <dt>Asks for</dt>
              <dd>{ACCESS_WORDS[request.access]}</dd>
            </>
          )}
        </dl>
        {request.webPage !== null && (
          <p role="alert" className={styles.contested}>
            <strong>{`${webPageName(request.webPage)} is asking for access.`}</strong> Deny it unless you opened that
            page yourself to link it.
          </p>
        )}
        <Form onSubmit={(fields) => run(() => decide(fields))} className={styles.deciding}>
          <input type="hidden" name="ticket" value={ticket} />
          <TokenChoiceFields requested={request.access} proposed={request.proposed} />
          <p className={styles.small}>
            Link it only if you started it yourself, just now. If someone gave you this code, deny it.
          </p>
          <div className={styles.decision}>
            <Button type="submit" name="decision" value="approve" disabled={busy} className={styles.equal}>
              Link this program
            </Button>
            <Button
              type="submit"
              name="decision"
              value="deny"
              variant="default"
              disabled={busy}
              className={styles.equal}
            >
              Deny
            </Button>
          </div>
        </Form>
        <ErrorNotice error={error} />
        <p className={styles.small}>
          Code expires in <Countdown seconds={request.secondsLeft} />.
        </p>
        <LiveRefresh seconds={5} />
      </div>
      <EnterAnother ticketId={ticketId}>Enter another code</EnterAnother>
    </div>
  );
}

/** Signs out and returns here; the code is stored. */
function AnotherAccount({ ticketId }: { ticketId: string }) {
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
      {error && <span className={form.lead}>{` ${error}`}</span>}
    </>
  );
}
