import type { Metadata } from "next";
import { CommandLine } from "@/components/command-line";
import { pageOrigin } from "../../origin";
import { DocsPage } from "../docs-page";
import styles from "../page.module.css";

export const metadata: Metadata = { title: "Keys as entitlements" };

export default async function KeysGuide() {
  const origin = await pageOrigin();
  return (
    <DocsPage title="Keys as entitlements" current="/docs/keys">
      <p>
        A key is a secret with a list of people. Being on the list is the entitlement: to a licence, a level, a room. The secret is what only they can read: a
        download address, a password, an unlock code.
      </p>
      <ol className={styles.steps}>
        <li>
          <p>
            <strong>Make one key for each thing that you sell or grant.</strong> Its id is no secret; put it into your program. Who knows it can ask who holds
            the key, and nothing more.
          </p>
          <CommandLine command={`curl "${origin}/keys/create?auth=TOKEN&data=SECRET&price=5&name=Full+version"`} />
        </li>
        <li>
          <p>
            <strong>Add who may have it.</strong> Asking twice is safe.
          </p>
          <CommandLine command={`curl "${origin}/keys/admin_add/KEY?auth=TOKEN&key=KEY&username=bob"`} />
        </li>
        <li>
          <p>
            <strong>Ask whether somebody has it.</strong> This needs no token, so a program can ask it anywhere. A name or key that does not exist is{" "}
            <code>false</code>, not an error.
          </p>
          <CommandLine command={`curl "${origin}/keys/check/bob?key=KEY"`} answer={'{"owned":true,"owns":true,"username":"bob","key":"KEY"}'} />
        </li>
        <li>
          <p>
            <strong>Prove it where it matters.</strong> Anybody can claim to be bob. With his token, from <a href="/docs/link">linking</a>, only he reads the
            secret.
          </p>
          <CommandLine command={`curl "${origin}/keys/get/KEY?auth=TOKEN_OF_BOB"`} />
        </li>
        <li>
          <p>
            <strong>Take it back</strong> when it ends.
          </p>
          <CommandLine command={`curl "${origin}/keys/revoke/KEY?auth=TOKEN&user=bob"`} />
        </li>
      </ol>
      <h2>All that somebody holds</h2>
      <p>
        Without <code>limit</code> the answer is the whole list. With it, the header <code>Link</code> has the address of the next page until there is none. The
        token is not in that address: send it in the header, which also keeps it out of logs.
      </p>
      <CommandLine command={`curl -i -H "Authorization: Bearer TOKEN" "${origin}/keys/mine?limit=100"`} />
      <h2>Good to know</h2>
      <ul className={styles.steps}>
        <li>Who makes a key manages it: only that account, or an administrator, adds, revokes, changes and deletes. An administrator cannot add itself.</li>
        <li>A holder can give a key back, and nothing more.</li>
        <li>Nobody has to take keys: the page of keys from others has a button to block who gives them. The giver is not told.</li>
        <li>A price is for your program to show. Nothing is paid here. A negative one means: not for sale.</li>
        <li>When the account that made a key is deleted, the key is gone for all who held it, and they are told.</li>
      </ul>
    </DocsPage>
  );
}
