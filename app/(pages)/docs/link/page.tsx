import type { Metadata } from "next";
import { CommandLine } from "@/components/command-line";
import { pageOrigin } from "../../origin";
import { DocsPage } from "../docs-page";
import styles from "../page.module.css";
import { Sequence } from "./sequence";

export const metadata: Metadata = { title: "Link a program in ten minutes" };

export default async function LinkGuide() {
  const origin = await pageOrigin();
  return (
    <DocsPage title="Link a program in ten minutes" current="/docs/link">
      <p>A program needs no password field and no browser of its own. It shows six letters; its user enters them here; it gets the user&apos;s token.</p>
      <Sequence />
      <ol className={styles.steps}>
        <li>
          <p>
            <strong>Ask for a code</strong>, and show it in large letters. The header <code>Link</code> has the address of the page with the code filled in:
            good for a QR code. <code>Link-Expires-In</code> says how many seconds the code lives. Name your program in <code>User-Agent</code>: your user reads
            it when deciding.
          </p>
          <CommandLine command={`curl -i ${origin}/link/code`} answer={'{"code":"KMTRWB"}'} />
        </li>
        <li>
          <p>
            <strong>Ask whether it is linked</strong>: when your user presses a button, or every <code>Link-Interval</code> seconds. Until then the answer is
            404, with a body that says so. Read the body: a 404 here is no failure. Send the header <code>Link-Secret</code> of the first answer back with every
            question: then only your program can collect the token, from any network, and it is never limited.
          </p>
          <CommandLine command={`curl -H "Link-Secret: SECRET" "${origin}/link/user?code=KMTRWB"`} answer={'{"linked":false,"token":""}'} />
        </li>
        <li>
          <p>
            <strong>Keep the token</strong> where your system keeps secrets, not in a file that others read. It is handed out once; for ten seconds the same
            program may ask again, in case the answer was lost.
          </p>
        </li>
        <li>
          <p>
            <strong>Say whose it is</strong>, so that a person notices the wrong account.
          </p>
          <CommandLine command={`curl "${origin}/me?auth=TOKEN"`} />
        </li>
      </ol>
      <h2>What goes wrong, and what to do</h2>
      <ul className={styles.steps}>
        <li>
          <strong>429</strong>: wait as many seconds as <code>Retry-After</code> says, then go on with the same code.
        </li>
        <li>
          <strong>Without the secret, on another network</strong>: a program that never sends <code>Link-Secret</code> collects from the network that asked for
          the code. When it has changed networks since, the page asks your user to press <strong>Allow</strong>. So does a web page of another site, always.
        </li>
        <li>
          <strong>No answer</strong>: ask again. Nothing is lost by asking twice.
        </li>
        <li>
          <strong>Your user denies</strong>: the answer stays the 404 of before, so that nobody can try out which codes exist. Go on asking until the code has
          expired, and let your user cancel.
        </li>
        <li>
          <strong>The code has expired</strong>: ask for a new one and show it in place of the old. Once approved, it waits five minutes for your program.
        </li>
        <li>
          <strong>401 later on</strong>: the user has taken access away. Forget the token and link again.
        </li>
      </ul>
    </DocsPage>
  );
}
