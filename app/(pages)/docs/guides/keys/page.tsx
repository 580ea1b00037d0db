import { CommandLine } from "@/components/copy-button";
import { KEY } from "@/lib/api/example-values";
import { countInWords, MAX_LINKS } from "@/lib/platform/bounds";
import { pageOrigin } from "../../../visitor";
import { DocsPage, titleOf } from "../../guide";
import styles from "../../page.module.css";
import { CommandTabs, ExampleTabs, RouteSamples } from "../../samples";

const values = { [KEY]: "KEY" };
const SELLER = { token: "SELLER_TOKEN", values };
const BUYER = { token: "BUYER_TOKEN", values };

export const metadata = { title: titleOf("/docs/guides/keys") };

export default async function KeysGuide() {
  const origin = await pageOrigin();
  return (
    <DocsPage path="/docs/guides/keys">
      <p>
        A key is a secret with a list of holders. Being on the list entitles a user to something: a licence, a level or
        a room. Only holders can read the secret: a download link, a password or an unlock code. By the end of this
        page, a user will have bought something, and your program will know.
      </p>
      <p>
        Two people are involved. <code>SELLER_TOKEN</code> belongs to the seller: create one for your shop on{" "}
        <a href="/account">your account page</a>, with the access Everything, because nothing less can add holders.{" "}
        <code>BUYER_TOKEN</code> belongs to the buyer: your program gets it when it{" "}
        <a href="/docs/guides/command-line">signs them in</a> with <code>access=read</code>, which is enough to read
        their keys. <code>KEY</code> is the id of the key, from the response in step 1. The samples read all three from
        the environment:
      </p>
      <CommandLine command="export SELLER_TOKEN=lk_… BUYER_TOKEN=lk_… KEY=…" />
      <ol className={styles.steps}>
        <li>
          <p>
            <strong>Create one key for each thing you sell.</strong> Do it once, here or on the{" "}
            <a href="/keys">Keys page</a>. The response has the key's id in <code>key</code>, which is what{" "}
            <code>KEY</code> stands for.
          </p>
          <RouteSamples path="/keys/create" variables={SELLER} />
        </li>
        <li>
          <p>
            <strong>Add each buyer</strong> after the payment. No payments happen here: the program that learns of one,
            for example a webhook of your shop, adds the buyer with your token. The id of the key is in two places, so
            that nobody is added to a mistyped key. Repeating the call is safe.
          </p>
          <RouteSamples path="/keys/admin_add/{id}" variables={SELLER} />
        </li>
        <li>
          <p>
            <strong>Check it in your program.</strong> This needs no token. The key's id isn't secret, so put it into
            the program. Anyone who knows it can check whether a user holds the key, and nothing more. The JavaScript
            version also needs{" "}
            <a href="/client.mjs" download>
              client.mjs
            </a>{" "}
            in the same folder.
          </p>
          <CommandTabs
            commands={{
              curl: `bash check-key.sh ${origin} bob "$KEY"`,
              javascript: `node check-key.mjs ${origin} bob "$KEY"`,
              python: `python3 check-key.py ${origin} bob "$KEY"`,
            }}
          />
          <ExampleTabs files={{ curl: "check-key.sh", javascript: "check-key.mjs", python: "check-key.py" }} />
        </li>
        <li>
          <p>
            <strong>Verify it where it matters.</strong> Anyone can say that they are bob. Only bob's token, which your
            program gets when it <a href="/docs/guides/command-line">signs him in</a>, can read the secret. For everyone
            else, <code>data</code> is <code>null</code>.
          </p>
          <RouteSamples path="/keys/get/{id}" variables={BUYER} />
        </li>
        <li>
          <p>
            <strong>Revoke it</strong> after a refund. A subscription needs no call when it ends: add the buyer with{" "}
            <code>until</code>, in Unix seconds, and add them again with a later one when they renew.
          </p>
          <RouteSamples path="/keys/revoke/{id}" variables={SELLER} />
        </li>
      </ol>
      <h2>All the keys someone holds</h2>
      <p>
        With <code>limit</code>, the <code>Link</code> header has the URL of the next page until there are no more. That
        URL doesn't contain the token: send it again in the header.
      </p>
      <RouteSamples path="/keys/mine" variables={BUYER} />
      <h2>Good to know</h2>
      <ul className={styles.steps}>
        <li>
          A key is managed by its creator: only that account or an administrator can add, revoke, change and delete.
          Administrators can't add themselves.
        </li>
        <li>
          If your shop doesn't know the buyer's username, send a claim link instead: create up to{" "}
          {countInWords(MAX_LINKS)} at a time on the key's page, as CSV for the shop. Anyone who opens one can sign in
          or up, and accept the key. Your shop then needs no token at all. The operator creates the same links with the
          admin command <code>claim:create</code>.
        </li>
        <li>
          A buyer needs an account here. If you add a username that doesn't exist, the response is 404{" "}
          <code>user_not_found</code>.
        </li>
        <li>Holders can leave a key, but not change it.</li>
        <li>Nobody has to accept keys. In the list of keys from others, users can block a creator, who isn't told.</li>
        <li>The price is for your program to show. A negative price means not for sale.</li>
        <li>
          When a key's creator deletes their account, the key is deleted too, and its holders are told. On the key's
          page the creator can hand it over to someone else first.
        </li>
      </ul>
    </DocsPage>
  );
}
