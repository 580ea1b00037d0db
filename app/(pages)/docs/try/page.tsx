import type { Metadata } from "next";
import { DocsPage } from "../docs-page";
import { Viewer } from "./viewer";

export const metadata: Metadata = { title: "Try the interface" };

export default function TryPage() {
  return (
    <DocsPage title="Try it" current="/docs/try">
      <p>
        Every request here is a real one, to this service. Press <b>Authorize</b> and put in <a href="/account">your token</a>: it stays in this page until you
        leave it.
      </p>
      <h2>Requests</h2>
      <Viewer />
    </DocsPage>
  );
}
