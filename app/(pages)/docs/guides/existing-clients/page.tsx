import { APPROVE_WITHIN_SECONDS } from "@/lib/link/states";
import { durationInWords } from "@/lib/platform/bounds";
import { pageOrigin } from "../../../visitor";
import { DocsPage, titleOf } from "../../guide";
import styles from "../../page.module.css";

export const metadata = { title: titleOf("/docs/guides/existing-clients") };

export default async function ExistingClientsGuide() {
  const origin = await pageOrigin();
  return (
    <DocsPage path="/docs/guides/existing-clients">
      <p>
        Programs already written for this API work here unchanged, except for the calls listed below. Set their URLs for
        the service, the files and the key registry to <code>{origin}</code>, and their link page to{" "}
        <code>{origin}/link</code>.
      </p>
      <h2>What stays the same</h2>
      <ul className={styles.steps}>
        <li>
          Every route is a <code>GET</code>; the token goes in <code>auth</code>. It can also go in{" "}
          <code>Authorization: Bearer</code>, which keeps it out of logs along the way.
        </li>
        <li>
          A key has <code>key</code> and <code>id</code>, <code>owned</code> and <code>owns</code>, <code>creator</code>
          , <code>isCreator</code> and <code>users</code> with times in Unix seconds. A success has <code>success</code>
          , <code>status</code> and <code>message</code>.
        </li>
        <li>
          <code>/keys/update</code> takes the key's id or a field's name in <code>key</code>.{" "}
          <code>/keys/admin_add</code> and <code>/keys/revoke</code> take <code>user</code> or <code>username</code>.
        </li>
        <li>
          For a bad token, <code>error</code> contains <code>Invalid</code>, and <code>code</code> names the error in
          one word.
        </li>
        <li>
          <code>/link/user</code> returns JSON even with a 404, and accepts the code in lower case.
        </li>
        <li>
          Every path also works under <code>/v2</code>. <code>/get_user</code> is <code>/me</code>, which accepts only a
          token, never a password; <code>/files/entries</code> is <code>/read-files</code>.
        </li>
        <li>
          <code>/link/code</code> takes <code>name</code> and <code>permissions</code>: the user can narrow what they
          mean here, and the program gets a token of its own. <code>/link/status</code> is 200 once linked, and 404
          until then.
        </li>
        <li>
          With <code>/generate_validator</code> and <code>/validate</code>, a program proves to its own server who its
          user is. With a token of its own, it names that server as <code>audience</code> when it asks for the code.
        </li>
        <li>
          Stored documents are read and imported as they are: a folder's list can be an array or text, and unused values
          can be of any type.
        </li>
        <li>
          <code>/read-files</code> takes <code>path</code> or <code>id</code>, for one file or folder; without them, it
          returns everything.
        </li>
      </ul>
      <h2>What doesn't work</h2>
      <ul className={styles.steps}>
        <li>Sign-in by a popup that posts a message back: link by the code instead.</li>
        <li>
          <code>/keys/admin_add</code> without <code>key</code>, <code>/keys/create</code> without <code>data</code> and{" "}
          <code>price</code>, and reading a key without a token. Each is refused with the reason.
        </li>
      </ul>
      <h2>Good to know</h2>
      <ul className={styles.steps}>
        <li>
          Values are stored exactly as sent: 5, true and 007 stay as they are. A price that isn't a plain decimal is
          rejected, never turned into 0.
        </li>
        <li>Only a key's holders can read its data; only its creator or an administrator can change it.</li>
        <li>
          A code is valid for {durationInWords(APPROVE_WITHIN_SECONDS)} and links once. The page always asks for
          confirmation before it links.
        </li>
        <li>
          Programs share the account's token, unless they ask for an access or permissions, or are web pages. Rotating
          it on the account page revokes access for every program that has it.
        </li>
      </ul>
    </DocsPage>
  );
}
