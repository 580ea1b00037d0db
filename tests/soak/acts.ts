import * as files from "./files";
import type { Act } from "./household";
import * as keys from "./keys";
import * as links from "./links";
import * as pages from "./pages";
import * as people from "./people";
import * as refusals from "./refusals";

export interface Deed {
  /** As it stands in the report. */
  name: string;
  /** How often it is done, relative to the others. */
  weight: number;
  act: Act;
}

/** Everything that is done in a soak. */
export const ACTS: Deed[] = [
  { name: "create a key", weight: 12, act: keys.create },
  { name: "read a key", weight: 24, act: keys.read },
  { name: "list keys", weight: 6, act: keys.list },
  { name: "list keys by pages", weight: 3, act: keys.listByPages },
  { name: "check a holder", weight: 8, act: keys.check },
  { name: "share a key", weight: 6, act: keys.share },
  { name: "revoke a key", weight: 4, act: keys.revoke },
  { name: "update a key", weight: 10, act: keys.update },
  { name: "delete a key", weight: 4, act: keys.remove },
  { name: "break off a create", weight: 2, act: keys.createAndGoAway },
  { name: "link", weight: 4, act: links.link },
  { name: "link from another network", weight: 1, act: links.linkFromAnotherNetwork },
  { name: "link beside a stranger", weight: 1, act: links.linkBesideAStranger },
  { name: "deny a link", weight: 1, act: links.denyLink },
  { name: "link and rotate", weight: 1, act: links.linkAndRotate },
  { name: "abandon a link", weight: 1, act: links.abandonLink },
  { name: "store files", weight: 2, act: files.storeFiles },
  { name: "read files", weight: 6, act: files.readFiles },
  { name: "read changed files", weight: 1, act: files.readChangedFiles },
  { name: "resume a download", weight: 2, act: files.resumeFiles },
  { name: "read files slowly", weight: 1, act: files.readFilesSlowly },
  { name: "break off a download", weight: 4, act: files.breakOffReading },
  { name: "ask who I am", weight: 6, act: people.askWhoIAm },
  { name: "rotate the token", weight: 1, act: people.rotateToken },
  { name: "disable and enable", weight: 1, act: people.disableAndEnable },
  { name: "ask whether it lives", weight: 2, act: people.askWhetherItLives },
  { name: "send a bad address", weight: 10, act: refusals.sendBadAddress },
  { name: "overreach", weight: 4, act: refusals.overreach },
  { name: "ask the wrong way", weight: 4, act: refusals.askTheWrongWay },
  { name: "ask for nothing", weight: 1, act: refusals.askForNothing },
  { name: "guess codes", weight: 1, act: refusals.guessCodes },
  { name: "guess tokens", weight: 1, act: refusals.guessTokens },
  { name: "send too much", weight: 1, act: refusals.sendTooMuch },
  { name: "visit a page", weight: 4, act: pages.visit },
  { name: "visit a page signed in", weight: 4, act: pages.visitSignedIn },
  { name: "sign in anew", weight: 1, act: pages.signInAnew },
];
