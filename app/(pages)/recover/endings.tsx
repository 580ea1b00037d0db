"use client";

import { useState } from "react";
import { Checkbox } from "@/components/checkbox";
import { RelativeTime } from "@/components/relative-time";
import { When } from "@/components/when";
import type { RecoveryEffects } from "@/lib/user-data/overview";
import styles from "./endings.module.css";

const inWords = new Intl.ListFormat("en");

/** Lets the user end what somebody else may have: passkeys, providers, the e-mail address and the account's token. */
export function EndingsFields({ passkeys, providers, email, programs }: Omit<RecoveryEffects, "username">) {
  const [alsoToken, setAlsoToken] = useState(false);
  return (
    <>
      {passkeys.length > 0 && (
        <div className={styles.ending}>
          <Checkbox
            size="md"
            name="endPasskeys"
            label={passkeys.length === 1 ? "Remove this passkey" : "Remove these passkeys"}
            description={
              passkeys.length === 1
                ? "Keep it only if it's yours: someone else may have added it."
                : "Keep them only if you know them all: someone else may have added one."
            }
            defaultChecked
          />
          <ul className={styles.names}>
            {passkeys.map(({ id, name, createdAt, usedAt }) => (
              <li key={id}>
                <strong translate="no">{name}</strong>, added <When at={createdAt} />,{" "}
                <span>{usedAt ? "last used " : "never used"}</span>
                {usedAt && <RelativeTime at={usedAt} />}
              </li>
            ))}
          </ul>
        </div>
      )}
      {providers.length > 0 && (
        <div className={styles.ending}>
          <Checkbox
            size="md"
            name="endProviders"
            label={`Disconnect ${inWords.format(providers)}`}
            description="Someone else may have connected it. You can connect yours again later."
            defaultChecked
          />
        </div>
      )}
      {email !== null && (
        <div className={styles.ending}>
          <Checkbox
            size="md"
            name="endEmail"
            label={`Remove ${email}`}
            description="Keep it only if it's yours: it gets links that set a new password."
            defaultChecked
          />
        </div>
      )}
      <div className={styles.ending}>
        <Checkbox
          size="md"
          name="endToken"
          label="Also rotate my token"
          description="Do this if someone else may have it. A new password alone doesn't stop programs."
          checked={alsoToken}
          onChange={(event) => setAlsoToken(event.currentTarget.checked)}
        />
        {alsoToken && <Stopping {...programs} />}
      </div>
    </>
  );
}

function Stopping({ names, more }: RecoveryEffects["programs"]) {
  return (
    <div className={styles.names}>
      <p>
        Your current token stops working.
        {names.length > 0 && <span> These programs lose access until you link them again:</span>}
      </p>
      {names.length > 0 && (
        <ul className={styles.names}>
          {names.map((name) => (
            <li key={name}>
              <strong translate="no">{name}</strong>
            </li>
          ))}
          {more > 0 && <li>{`and ${more} more`}</li>}
        </ul>
      )}
      <p>Programs with tokens of their own keep working.</p>
    </div>
  );
}
