import { MAX_WAIT_SECONDS } from "@/lib/link/wait";
import { durationInWords } from "@/lib/platform/bounds";
import { pageOrigin } from "../../../visitor";
import { DocsPage, LinkTroubles, Sequence, titleOf } from "../../guide";
import styles from "../../page.module.css";
import { CommandTabs, ExampleTabs } from "../../samples";

export const metadata = { title: titleOf("/docs/guides/command-line") };

export default async function CommandLineGuide() {
  const origin = await pageOrigin();
  const files = `${origin}/docs/examples`;
  return (
    <DocsPage path="/docs/guides/command-line">
      <p>
        Your program needs no password field and no built-in browser. It shows six letters, the user confirms them here,
        and the program gets a token. By the end of this page, you will have a program that does this.
      </p>
      <h2>1. Run the complete program</h2>
      <p>
        Save it, start it, open the URL that it prints, and press <b>Link this program</b>. The JavaScript version also
        needs{" "}
        <a href="/client.mjs" download>
          client.mjs
        </a>{" "}
        in the same folder; there is nothing to install.
      </p>
      <CommandTabs
        commands={{
          curl: `curl -O ${files}/link.sh && bash link.sh ${origin}`,
          javascript: `curl -O ${origin}/client.mjs -O ${files}/link-node.mjs && node link-node.mjs ${origin}`,
          python: `curl -O ${files}/link.py && python3 link.py ${origin}`,
        }}
      />
      <ExampleTabs files={{ curl: "link.sh", javascript: "link-node.mjs", python: "link.py" }} />
      <h2>2. Understand what it does</h2>
      <Sequence />
      <ol className={styles.steps}>
        <li>
          <strong>Request a code</strong> and show it. The <code>Link</code> header has the URL of the page with the
          code filled in, which is ideal for a QR code. Name your program in the parameter <code>name</code>: the user
          sees it when deciding.
        </li>
        <li>
          <strong>Ask for no more than you need.</strong> With <code>access=identity</code>, the program gets a token of
          its own that can tell who the user is, and nothing else: if it leaks, keys and files are safe. Ask for{" "}
          <code>read</code> to read them, and for <code>everything</code> only to change keys. Without{" "}
          <code>access</code>, the program gets the account's token, which has full access.
        </li>
        <li>
          <strong>Wait for the user</strong> at <code>/link/status</code>. With the header <code>Prefer: wait=25</code>,
          the response comes as soon as the user decides, or after {durationInWords(MAX_WAIT_SECONDS)}; then ask again.
          Without <code>Preference-Applied</code> in the response, the service didn't wait: ask again after{" "}
          <code>Link-Interval</code> seconds.
        </li>
        <li>
          <strong>Collect the token</strong> at <code>/link/user</code> once the status is <code>linked</code>. Until it
          can be collected, the response is a 404 with the body <code>{'{"linked":false,"token":""}'}</code>. That isn't
          a failure: read the body.
        </li>
        <li>
          <strong>Send the secret back.</strong> With the <code>Link-Secret</code> header of the first response in every
          request, only your program can collect the token, from any network. Without it, only the network that
          requested the code can collect, and the page asks the user about any other.
        </li>
        <li>
          <strong>Show whose account it is</strong> with <code>/me</code>, so that users notice if it's the wrong one.
        </li>
      </ol>
      <h2>Or use a library for OAuth</h2>
      <p>
        Every library that knows the device flow (RFC 8628) links as well: openid-client, oauth4webapi,
        golang.org/x/oauth2 and others. Give it this service's address as the issuer, or <code>/oauth/device</code> and{" "}
        <code>/oauth/token</code> as endpoints, any <code>client_id</code>, which the user sees as your program's name,
        no client secret, and the scope <code>identity</code>, <code>read</code> or <code>everything</code>.
      </p>
      <h2>3. Make it yours</h2>
      <p>
        Store the token where your system keeps secrets, not in a file that others can read. The guide for{" "}
        <a href="/docs/guides/desktop">a game or desktop app</a> shows how to reuse it at the next start.
      </p>
      <LinkTroubles />
    </DocsPage>
  );
}
