import { headers } from "next/headers";
import { LiveRefresh } from "@/components/live-refresh";
import { idBefore } from "@/components/table";
import { recentGuessers, recentLinks } from "@/lib/link/operator";
import { blockedNetworks } from "@/lib/platform/network/block";
import { clientNetwork } from "@/lib/platform/network/client";
import { consolePage, consoleTitle, SameCommand } from "../console-page";
import { LinksPanel } from "./links-panel";
import { BLOCKS_A_PAGE, BlockedNetworksPanel, GuessersPanel } from "./networks-panel";

export const generateMetadata = () => consoleTitle("Links");

/** What programs ask for, networks that guess, and networks that are blocked. */
export default consolePage("Links", async (query) => {
  const before = idBefore(query.before);
  const [links, guessers, blocks] = await Promise.all([
    recentLinks(),
    recentGuessers(),
    blockedNetworks(BLOCKS_A_PAGE + 1, before),
  ]);
  const { kind } = clientNetwork(await headers());
  return (
    <>
      <LiveRefresh seconds={5} />
      <LinksPanel {...links} query={query} />
      <GuessersPanel guessers={guessers} />
      <BlockedNetworksPanel
        blocks={blocks}
        isFirst={before === undefined}
        proposed={query.network ?? ""}
        isBlind={kind === "unknown"}
      />
      <SameCommand commands={["network:list", "network:block NETWORK", "link:end ID"]} />
    </>
  );
});
