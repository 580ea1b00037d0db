"use client";

import { Button } from "@mantine/core";
import { signOut } from "next-auth/react";
import { useActionState, useState } from "react";
import form from "@/components/form.module.css";
import { CodePlate } from "@/components/link/code-plate";
import { Countdown } from "@/components/link/countdown";
import { placeOf, webPageName } from "@/components/link/place";
import { Since } from "@/components/link/since";
import { Notice } from "@/components/notice";
import type { LinkRequest } from "@/lib/link/view";
import { UNREACHABLE } from "../unreachable";
import { decide } from "./actions";
import { EnterAnother } from "./enter-another";
import { LiveRefresh } from "./live-refresh";
import styles from "./page.module.css";

interface Props {
  letters: string;
  /** The letters were typed in another script. */
  lookAlikes: boolean;
  username: string;
  request: LinkRequest;
  /** Binds the decision to this request and session. */
  ticket: string;
}

/** Everything that lets a person notice somebody else's code, and the two ways to decide, as equals. */
export function ConfirmRequest({ letters, lookAlikes, username, request, ticket }: Props) {
  const [error, submit, busy] = useActionState((before: string, form: FormData) => decide(before, form).catch(() => UNREACHABLE), "");
  const isElsewhere = request.asked.isYours === false;

  return (
    <div className={styles.page}>
      <h1>Link this program?</h1>
      <div className={styles.card}>
        <div className={styles.compare}>
          <CodePlate letters={letters} />
          <p className={styles.small}>
            {lookAlikes ? "You typed letters of another alphabet; these are the ones that they look like. " : ""}The program must show the same letters.
          </p>
        </div>
        <dl className={styles.facts}>
          <dt>Account</dt>
          <dd>
            Signed in as <strong>{username}</strong> <AnotherAccount />
          </dd>
          <dt>Asked for</dt>
          <dd className={isElsewhere ? styles.warning : undefined}>
            <Since seconds={request.secondsSinceAsked} />
            {placeOf(request.asked, request.program)}
          </dd>
          {!isElsewhere && (
            <>
              <dt>Program</dt>
              <dd>{request.program ? <>It calls itself {request.program}</> : "It does not say what it is"}</dd>
            </>
          )}
        </dl>
        {request.webPage !== null && (
          <p role="alert" className={styles.contested}>
            <strong>{webPageName(request.webPage)} asks for access.</strong> Deny it unless you opened that page yourself to link it.
          </p>
        )}
        <p className={styles.advice}>
          A linked program can do all that you can: read your files, see your keys and change them. Link it only if you started it yourself, just now. If
          somebody gave you this code, deny it.
        </p>
        <form action={submit} className={styles.decision}>
          <input type="hidden" name="ticket" value={ticket} />
          <Button type="submit" name="decision" value="approve" disabled={busy} className={styles.equal}>
            Link this program
          </Button>
          <Button type="submit" name="decision" value="deny" color="red" disabled={busy} className={styles.equal}>
            Deny
          </Button>
        </form>
        <Notice kind="error">{error}</Notice>
        <p className={styles.small}>
          The code is good for <Countdown seconds={request.secondsLeft} /> more.
        </p>
        <LiveRefresh seconds={5} />
      </div>
      <EnterAnother>Enter another code</EnterAnother>
    </div>
  );
}

/** Signs out and comes back here; the code is kept. */
function AnotherAccount() {
  const [error, setError] = useState("");

  async function change() {
    try {
      await signOut({ redirect: false });
      window.location.assign("/link");
    } catch {
      setError(UNREACHABLE);
    }
  }

  return (
    <>
      <button type="button" className={styles.quiet} onClick={change}>
        Use another account
      </button>
      {error && <span className={form.lead}> {error}</span>}
    </>
  );
}
