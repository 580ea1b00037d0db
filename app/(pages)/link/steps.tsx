import { Lock, Plate } from "@/components/code-display";
import { LiveRefresh } from "@/components/live-refresh";
import form from "@/components/page.module.css";
import { describeWhereabouts, networkName } from "@/components/words";
import type { ListedToken } from "@/lib/accounts/identity/access-tokens/list";
import { relyingParty } from "@/lib/accounts/identity/relying-party";
import { configuredProviders } from "@/lib/accounts/ways-in/providers";
import type { LinkedProgram } from "@/lib/link/list";
import type { Ticket } from "@/lib/link/ticket";
import type { LinkRequest, Onlookers as OnlookersOf, PendingProgram } from "@/lib/link/view";
import type { Access } from "@/lib/platform/access";
import { env } from "@/lib/platform/env";
import { siteOf } from "@/lib/platform/user-agent";
import { PasskeySignIn } from "../_signing-in/passkey-buttons";
import { ProviderButtons, SignInForm, SignUpFormIfNew } from "../_signing-in/sign-in-form";
import { pageOrigin } from "../visitor";
import { addressOf } from "./address";
import { CodeForm, EnterAnother } from "./code-form";
import { PendingProgramsStep, RevokeAccessStep } from "./later-steps";
import { CloseWindow } from "./opened-window";
import styles from "./page.module.css";
import { Countdown, FollowRequest, Since } from "./waiting";

/** Asks the user to sign in, or to sign up if `isNew`, while the code waits. */
export async function SignInFirst({ ticket: { id, code, opener }, isNew }: { ticket: Ticket; isNew: boolean }) {
  const target = addressOf(id);
  const hasPasskeys = relyingParty(await pageOrigin()) !== null;
  return (
    <div className={form.page}>
      <div className={styles.head}>
        <h1 className={styles.asking}>
          <span>{isNew ? "Sign up to continue" : "Sign in to continue"}</span>
          {opener !== undefined && (
            <>
              <span> to </span>
              <strong translate="no">{siteOf(opener)}</strong>
            </>
          )}
        </h1>
        {opener === undefined && (
          <p className="soft">{`We'll keep your code while you sign ${isNew ? "up" : "in"}.`}</p>
        )}
      </div>
      {opener === undefined && <Plate code={code} />}
      {isNew ? (
        <SignUpFormIfNew target={target} hasPasskeys={hasPasskeys} />
      ) : (
        <>
          <SignInForm target={target} problem="" />
          {hasPasskeys && <PasskeySignIn target={target} />}
          <p className="soft">
            <a href="/recover">Forgot your password?</a>
          </p>
        </>
      )}
      <ProviderButtons providers={configuredProviders()} target={target} />
      {isNew ? (
        <p className="soft">
          Already have an account? <a href={target}>Sign in</a>
        </p>
      ) : (
        env.ALLOW_SIGNUP && (
          <p className="soft">
            New here? <a href={`${target}&new`}>Sign up</a>
          </p>
        )
      )}
      {opener === undefined && <EnterAnother ticketId={id}>Enter another code</EnterAnother>}
    </div>
  );
}

/** Who else knew the code, for its approver. Nothing if nobody did. */
function Onlookers({ onlookers: { accountCount, accounts, networks } }: { onlookers: OnlookersOf }) {
  if (accountCount + networks === 0) return null;
  return (
    <details>
      <summary>
        {[accountCount > 0 && accountWords(accountCount), networks > 0 && networkWords(networks)]
          .filter(Boolean)
          .join(" ")}
      </summary>
      <p>They can't collect your token unless you allow it. If the program isn't yours, revoke its access.</p>
      {accounts.length > 0 && (
        <ul className={styles.onlookers}>
          {accounts.map(({ username, network }) => (
            <li key={username}>
              <strong translate="no">{username}</strong>, from <span translate="no">{networkName(network)}</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

const accountWords = (count: number) =>
  count === 1 ? "1 other person has entered this code." : `${count} other people have entered this code.`;

const networkWords = (count: number) =>
  count === 1
    ? "A program on 1 other network has asked for this token."
    : `Programs on ${count} other networks have asked for this token.`;

interface Props {
  code: string;
  /** A page of the linked site has opened this window. */
  isOpened: boolean;
  username: string;
  request: LinkRequest;
  ticketId: string;
  /** Binds a decision to this request and session. */
  ticket: string;
  /** All programs that use the account's token. */
  programs: LinkedProgram[];
  /** The tokens of programs' own. */
  tokens: ListedToken[];
}

/** A user who opens the page later than this after the program collected the token has come to link another one. */
const PAST_SECONDS = 120;

/** After linking: whether the program has collected the token, and how to revoke it. */
export function ApprovedRequest({ code, isOpened, username, request, ticketId, ticket, programs, tokens }: Props) {
  const { collected, onlookers, token } = request;
  const undecided = onlookers?.pending.filter(({ isAllowed }) => !isAllowed) ?? [];
  const itsToken = token ? "its own token" : "your token";
  const requester = request.webPage === null ? "program" : "page";
  const isPast = collected !== null && collected.secondsSince > PAST_SECONDS;
  return (
    <div className={styles.page}>
      {isPast ? (
        <>
          <h1>Link a program</h1>
          <CodeForm entry="" error="" autoFocus />
          <h2>Your last link</h2>
        </>
      ) : (
        <Headline request={request} undecided={undecided} />
      )}
      <div className={styles.card}>
        <div className={styles.compare}>
          {!isOpened && <Plate code={code} isSmall />}
          <Lock isTurned={collected !== null} />
        </div>
        {!collected && onlookers && onlookers.pending.length > 0 && (
          <PendingProgramsStep programs={onlookers.pending} ticket={ticket} />
        )}
        <div role="status" className={styles.status}>
          {collected ? (
            <p className={styles.done}>
              <span>{`The ${requester} has collected ${itsToken}.`}</span>
            </p>
          ) : (
            <p className={styles.waiting}>
              <span className={styles.pulse} aria-hidden="true" />{" "}
              <span>{`Waiting for the ${requester} to collect ${itsToken}.`}</span>
            </p>
          )}
        </div>
        {collected ? (
          <p className={collected.isYours === false ? styles.warning : "soft"}>
            <Since seconds={collected.secondsSince} />
            <span>{describeWhereabouts(collected, collected.program)}</span>.{" "}
            <span>{DOES[token?.access ?? "everything"]}</span> <strong translate="no">{username}</strong>.
            {collected.repeats > 0 && (
              <span>
                {` It asked again ${timesWords(collected.repeats)}, as programs do when they miss the response.`}
              </span>
            )}
          </p>
        ) : (
          <>
            <p className="soft">
              {undecided.length === 0 && <span>You may need to press a button there. </span>}
              <Countdown seconds={request.secondsLeft} after=" left." />
            </p>
            <LiveRefresh seconds={2} />
          </>
        )}
        {collected && collected.secondsSince < 15 && <LiveRefresh seconds={5} />}
        {onlookers && <Onlookers onlookers={onlookers} />}
        <RevokeAccessStep token={token} programs={programs} tokens={tokens} isCollected={collected !== null} />
      </div>
      {collected && !isPast && isOpened && <CloseWindow />}
      {collected && !isPast && !isOpened && (
        <section className={styles.head} aria-labelledby="another">
          <h2 id="another">Link another program</h2>
          <CodeForm entry="" error="" />
        </section>
      )}
      {!isPast && <FollowRequest ticket={ticket} version={request.version} />}
      {!collected && !isOpened && <EnterAnother ticketId={ticketId}>Link another program</EnterAnother>}
    </div>
  );
}

/** What there is to do, or that it is done. `undecided`: programs that wait for the user's permission. */
function Headline({ request, undecided }: { request: LinkRequest; undecided: PendingProgram[] }) {
  const { collected, webPage } = request;
  const [asking] = undecided;
  const site = siteOf((asking ? asking.webPage : webPage) ?? "");
  const [before, after] = asking ? ["Allow ", "?"] : collected ? ["", " is linked"] : ["Go back to ", ""];
  const other = asking ? "this program" : collected ? "Your program" : "your program";
  return (
    <h1 className={styles.asking}>
      <span>{before}</span>
      {site === "" ? <span>{other}</span> : <strong translate="no">{site}</strong>}
      <span>{after}</span>
    </h1>
  );
}

/** Followed by the user's name. */
const DOES: Record<Access, string> = {
  everything: "It now acts as",
  read: "It can now read the keys and files of",
  identity: "It now knows that you are",
};

const timesWords = (count: number) => (count === 1 ? "once" : `${count} times`);
