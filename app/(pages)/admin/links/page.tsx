import type { Metadata } from "next";
import { headers } from "next/headers";
import { LiveRefresh } from "@/components/live-refresh";
import { idBefore } from "@/components/table";
import { recentGuessers, recentLinks } from "@/lib/link/operator";
import { blockedNetworks } from "@/lib/platform/network/block";
import { clientNetwork } from "@/lib/platform/network/client";
import type { SearchParams } from "../../next-path";
import { consolePage, consoleTitle } from "../console-page";
import { pageParameters } from "../console-request";
import { SameCommand } from "../same-command";
import { LinksPanel } from "./links-panel";
import { BLOCKS_A_PAGE, BlockedNetworksPanel, GuessersPanel } from "./networks-panel";

export const generateMetadata = (): Promise<Metadata> => consoleTitle("Links");

/** What programs ask for, networks that guess, and networks that are blocked. */
export default async function LinksPage({ searchParams }: { searchParams: SearchParams }) {
  return consolePage({
    section: "Links",
    title: "Links",
    show: async () => {
      const parameters = await pageParameters(searchParams);
      const before = idBefore(parameters.before);
      const [links, guessers, blocks] = await Promise.all([
        recentLinks(),
        recentGuessers(),
        blockedNetworks(BLOCKS_A_PAGE + 1, before),
      ]);
      const { kind } = clientNetwork(await headers());
      return (
        <>
          <LiveRefresh seconds={5} />
          <LinksPanel {...links} parameters={parameters} />
          <GuessersPanel guessers={guessers} />
          <BlockedNetworksPanel
            blocks={blocks}
            isFirst={before === undefined}
            parameters={parameters}
            isBlind={kind === "unknown"}
          />
          <SameCommand commands={["network:list", "network:block NETWORK", "link:end ID"]} />
        </>
      );
    },
  });
}
