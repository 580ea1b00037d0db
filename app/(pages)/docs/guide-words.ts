import linkTroubles from "./guide.tsx?words";
import type { GuidePath } from "./guides";
import backup from "./guides/backup/page.tsx?words";
import browser from "./guides/browser/page.tsx?words";
import commandLine from "./guides/command-line/page.tsx?words";
import desktop from "./guides/desktop/page.tsx?words";
import existingClients from "./guides/existing-clients/page.tsx?words";
import keys from "./guides/keys/page.tsx?words";
import offlineLicence from "./guides/offline-licence/page.tsx?words";
import production from "./guides/production/page.tsx?words";
import whoIsPlaying from "./guides/who-is-playing/page.tsx?words";

/** The words of each guide's text. Contents loads them when a reader is about to search. */
export const GUIDE_WORDS: Record<GuidePath, string> = {
  "/docs/guides/command-line": `${commandLine} ${linkTroubles}`,
  "/docs/guides/desktop": `${desktop} ${linkTroubles}`,
  "/docs/guides/browser": `${browser} ${linkTroubles}`,
  "/docs/guides/keys": keys,
  "/docs/guides/offline-licence": offlineLicence,
  "/docs/guides/who-is-playing": whoIsPlaying,
  "/docs/guides/backup": backup,
  "/docs/guides/production": production,
  "/docs/guides/existing-clients": existingClients,
};
