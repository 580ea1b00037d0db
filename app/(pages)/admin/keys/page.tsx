import type { Metadata } from "next";
import type { SearchParams } from "../../next-path";
import { consolePage, consoleTitle } from "../console-page";
import { sentTo } from "../sent";
import { AllKeys } from "./all-keys";
import { OneKey } from "./one-key";

export const generateMetadata = (): Promise<Metadata> => consoleTitle("Keys");

/** One key if the address names one, otherwise all of them. Never the data of a key. */
export default async function AllKeysPage({ searchParams }: { searchParams: SearchParams }) {
  return consolePage({
    section: "Keys",
    title: "Keys",
    show: async (admin) => {
      const sent = await sentTo(searchParams);
      const id = (sent.key ?? (sent.by === "id" ? sent.q : ""))?.trim().toLowerCase();
      return id ? <OneKey admin={admin} keyId={id} sent={sent} /> : <AllKeys sent={sent} />;
    },
  });
}
