import type { ReactNode } from "react";
import rows from "@/components/content.module.css";
import { Panel } from "@/components/page";
import { LastUsed, RelativeTime, When } from "@/components/time";
import { networkName } from "@/components/words";
import { tokensOf } from "@/lib/accounts/identity/access-tokens/list";
import { sessionsOf } from "@/lib/accounts/session/sessions";
import { passkeysOf } from "@/lib/accounts/ways-in/passkeys/list";
import type { ShownUser } from "@/lib/operator/users/view";
import type { Access } from "@/lib/platform/access";
import { describeProgram } from "@/lib/platform/user-agent";
import { endSessionOf, endSessionsOf, removeAddressOf, removePasskeyOf, removeTokenOf } from "./actions";
import { RemoveButton } from "./user-actions";
import styles from "./users.module.css";

const ACCESS: Record<Access, string> = {
  everything: "Does everything",
  read: "Reads keys and files",
  identity: "Knows who the user is",
};

/** Where a user is signed in, and with what they and their programs come in; each can be taken away. */
export async function SignInMethods({ user, isOwn }: { user: ShownUser; isOwn: boolean }) {
  const { id, username } = user;
  const [sessions, tokens, passkeys] = await Promise.all([sessionsOf(id), tokensOf(id), passkeysOf(id)]);
  return (
    <>
      <Panel title="Browsers">
        <Rows nothing={`${username} isn't signed in anywhere.`}>
          {sessions.map((session) => (
            <Row
              key={session.id}
              name={describeProgram(session.userAgent) || "Unknown browser"}
              detail={
                <span>
                  Signed in <RelativeTime at={session.since} precise />
                  {session.network && <span>{`, from ${networkName(session.network)}`}</span>}
                </span>
              }
            >
              <RemoveButton
                verb="End"
                what={describeProgram(session.userAgent) || "unknown browser"}
                action={endSessionOf}
                input={{ username, sessionId: session.id }}
                done="The browser has been signed out."
              >
                {`${username} is signed out in this browser. Programs aren't affected, because they use tokens.`}
              </RemoveButton>
            </Row>
          ))}
        </Rows>
        {sessions.length > 1 && (
          <div>
            <RemoveButton
              verb="End"
              what="all sessions"
              isAlone
              action={endSessionsOf}
              input={username}
              done={`${username} has been signed out everywhere.`}
            >
              {`${username} is signed out in every browser.${isOwn ? " That includes yours, here." : ""}`}
            </RemoveButton>
          </div>
        )}
      </Panel>
      <Panel title="Tokens of programs">
        <Rows nothing="No program has a token of its own. Programs may share the account's token.">
          {tokens.map((token) => (
            <Row
              key={token.id}
              name={token.name}
              detail={
                <span>
                  <span>{ACCESS[token.access]}</span>, created <When at={token.createdAt} />,{" "}
                  <LastUsed at={token.usedAt} />
                  {token.state === "ended" && <span>, expired</span>}
                </span>
              }
            >
              <RemoveButton
                verb="Remove"
                what={token.name}
                action={removeTokenOf}
                input={{ username, id: token.id }}
                done={`The token ${token.name} has been removed.`}
              >
                The token stops working immediately. This can't be undone.
              </RemoveButton>
            </Row>
          ))}
        </Rows>
      </Panel>
      <Panel title="Passkeys">
        <Rows nothing="No passkeys.">
          {passkeys.map((passkey) => (
            <Row
              key={passkey.id}
              name={passkey.name}
              detail={
                <span>
                  For <span translate="no">{passkey.host}</span>, added <When at={passkey.createdAt} />
                </span>
              }
            >
              <RemoveButton
                verb="Remove"
                what={passkey.name}
                action={removePasskeyOf}
                input={{ username, id: passkey.id }}
                done={`The passkey ${passkey.name} has been removed.`}
              >
                {`${username} can no longer sign in with it. If that's their only way in, create a recovery link.`}
              </RemoveButton>
            </Row>
          ))}
        </Rows>
      </Panel>
      <Panel title="E-mail and recovery codes">
        <Email user={user} />
      </Panel>
    </>
  );
}

function Email({ user: { username, email, recoveryCodes } }: { user: ShownUser }) {
  const words = email.verified
    ? email.pending
      ? "Verified; another address is waiting to be verified"
      : "Verified"
    : "Entered, not verified";
  return (
    <>
      <Rows nothing="No e-mail address.">
        {email.verified || email.pending ? (
          <Row name="E-mail address" detail={`${words}. Only the user sees it.`}>
            <RemoveButton
              verb="Remove"
              what="the e-mail address"
              action={removeAddressOf}
              input={username}
              done="The e-mail address has been removed."
            >
              It gets no more recovery links, and links already sent to it stop working. If it's verified, it gets a
              notice.
            </RemoveButton>
          </Row>
        ) : null}
      </Rows>
      <p className="soft">
        {recoveryCodes === 0
          ? "No recovery codes."
          : recoveryCodes === 1
            ? "1 recovery code is left."
            : `${recoveryCodes} recovery codes are left.`}
      </p>
    </>
  );
}

function Rows({ nothing, children }: { nothing: string; children: ReactNode }) {
  const isEmpty = Array.isArray(children) ? children.length === 0 : children === null;
  return isEmpty ? <p className="soft">{nothing}</p> : <ul className={`${rows.list} ${styles.rows}`}>{children}</ul>;
}

function Row({ name, detail, children }: { name: string; detail: ReactNode; children: ReactNode }) {
  return (
    <li>
      <span>
        <strong translate="no">{name}</strong>
        <span className="detail">{detail}</span>
      </span>
      {children}
    </li>
  );
}
