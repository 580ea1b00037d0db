import type { Metadata } from "next";
import { pageOrigin } from "../../origin";
import { DocsPage } from "../docs-page";
import styles from "../page.module.css";

export const metadata: Metadata = { title: "Existing clients" };

export default async function ClientsGuide() {
  const origin = await pageOrigin();
  return (
    <DocsPage title="Coming from an existing client" current="/docs/clients">
      <p>
        Programs written for this interface elsewhere work here unchanged. Point their address of the service, of the files and of the key registry at{" "}
        <code>{origin}</code>, and their link page at <code>{origin}/link</code>.
      </p>
      <h2>What they find as they know it</h2>
      <ul className={styles.steps}>
        <li>
          Every route is a <code>GET</code>; the token goes in <code>auth</code>. It may also go in <code>Authorization: Bearer</code>, which keeps it out of
          logs on the way.
        </li>
        <li>
          A key has <code>key</code> and <code>id</code>, <code>owned</code> and <code>owns</code>, <code>creator</code>, <code>isCreator</code> and{" "}
          <code>users</code> with times in unix seconds. Success has <code>success</code>, <code>status</code> and <code>message</code>.
        </li>
        <li>
          <code>/keys/update</code> takes the key&apos;s id or a field&apos;s name in <code>key</code>. <code>/keys/admin_add</code> and{" "}
          <code>/keys/revoke</code> take <code>user</code> or <code>username</code>.
        </li>
        <li>
          A bad token says <code>Invalid</code> in <code>error</code>; <code>code</code> says it in one word.
        </li>
        <li>
          <code>/link/user</code> answers JSON with its 404 too, and takes the code in lower case.
        </li>
        <li>
          <code>/get_user</code> and <code>/v2/me</code> answer as <code>/me</code> does. They take a token only, never a password.
        </li>
        <li>Stored documents are read and imported as they are: a folder&apos;s list as an array or as text, unused values of any kind.</li>
      </ul>
      <h2>What is better to know</h2>
      <ul className={styles.steps}>
        <li>Values stay the text that was sent: 5, true and 007 are stored as they are. A price that is no plain decimal is refused, never made 0.</li>
        <li>Only who holds a key reads its data; only who made it, or an administrator, changes it.</li>
        <li>A code lives ten minutes and links once. The page always asks before it links.</li>
        <li>An account has one token. Rotating it on the account page stops every program that has it.</li>
      </ul>
    </DocsPage>
  );
}
