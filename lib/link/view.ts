import { db } from "@/lib/db/client";
import type { Network } from "@/lib/network";
import type { LinkCode } from "@/prisma/generated/sqlite/client";
import type { Person } from "./find";
import { describeProgram } from "./program";
import { questionsFor } from "./questions";

/** More accounts than these are only counted. */
const ACCOUNTS_SHOWN = 5;

export type RequestState =
  | "pending" // to whom it is not: nobody learns what others decided, so until it expires it looks as if it waited
  | "closed" // expired, or unknown what others made of it
  | "denied" // by this user
  | "approved" // by this user, and the program can still collect
  | "uncollected" // approved by this user, but the program came too late
  | "collected"
  | "revoked"; // the token was rotated since

/** Where something happened. */
export interface Place {
  /** Only who approved is told the network. */
  network: string | null;
  /** Whether it is the network of who looks; undefined where this deployment cannot tell. */
  isYours: boolean | undefined;
}

/** A program elsewhere that wants the token. */
export interface Wanting extends Place {
  network: string;
  /** What it calls itself; may be empty. */
  program: string;
  /** The origin of the web page that it is; "": none. */
  webPage: string;
  isAllowed: boolean;
}

/** What only the approver is told: who else knew the code, and who wants the token. */
export interface Onlookers {
  wanting: Wanting[];
  /** How many networks asked for the token that are not known to be the program's. */
  networks: number;
  /** How many other accounts entered the code, and some of them. */
  people: number;
  accounts: { username: string; network: string }[];
}

/** A program's request as the page shows it. Times are seconds from now, so that a wrong clock of the browser does not matter. */
export interface LinkRequest {
  state: RequestState;
  /** What the program calls itself; may be empty. */
  program: string;
  /** The origin of the web page of another site that asked, "null" for one that hides it; null: no web page did. */
  webPage: string | null;
  secondsSinceAsked: number;
  /** Until it can no longer be approved, or once it is approved, collected. */
  secondsLeft: number;
  asked: Place;
  collected: (Place & { program: string; secondsSince: number; repeats: number }) | null;
  onlookers: Onlookers | null;
}

/** What a signed-in user whose session holds the form may know of a request, or null when it is gone. */
export async function viewRequest(viewer: Person, linkId: string, now = new Date()): Promise<LinkRequest | null> {
  const link = await db.linkCode.findUnique({ where: { id: linkId } });
  if (!link) return null;
  const user = await db.user.findUniqueOrThrow({ where: { id: viewer.id }, select: { tokenHash: true } });
  const state = stateFor(viewer.id, link, user.tokenHash, now);
  const isApprover = state === "approved" || state === "collected";
  return {
    state,
    program: describeProgram(link.program),
    webPage: link.webPage,
    secondsSinceAsked: secondsBetween(link.createdAt, now),
    secondsLeft: secondsBetween(now, (link.userId === viewer.id && link.collectBy) || link.expiresAt),
    asked: { network: isApprover ? link.network : null, isYours: isYours(link.network, viewer.network) },
    collected: state === "collected" ? collectedFrom(link, viewer, now) : null,
    onlookers: isApprover ? await onlookersOf(link, viewer, state === "approved") : null,
  };
}

function collectedFrom(link: LinkCode, viewer: Person, now: Date): LinkRequest["collected"] {
  if (!link.collectedAt || link.collectedNetwork === null) return null;
  return {
    network: link.collectedNetwork,
    isYours: isYours(link.collectedNetwork, viewer.network),
    program: describeProgram(link.collectedProgram ?? link.program),
    secondsSince: secondsBetween(link.collectedAt, now),
    repeats: link.repeats ?? 0,
  };
}

async function onlookersOf(link: LinkCode, viewer: Person, isWaiting: boolean): Promise<Onlookers> {
  const others = { linkId: link.id, userId: { not: viewer.id } };
  const [{ networks, likeliest }, people, entries] = await Promise.all([
    questionsFor(link),
    db.linkEntry.count({ where: others }),
    db.linkEntry.findMany({ where: others, orderBy: { at: "desc" }, take: ACCOUNTS_SHOWN, select: { network: true, user: { select: { username: true } } } }),
  ]);
  return {
    wanting: isWaiting ? wantingOf(link, likeliest, viewer) : [],
    networks,
    people,
    accounts: entries.map(({ network, user }) => ({ username: user.username, network })),
  };
}

type Question = Awaited<ReturnType<typeof questionsFor>>["likeliest"][number];

/** Once a program has proved itself by its secret, no other gets the person's word; but a web page needs it even so. */
function wantingOf(link: LinkCode, questions: Question[], viewer: Person): Wanting[] {
  const { webPage, network, program } = link;
  const asking = link.boundAt ? (webPage === null ? [] : [{ network, webPage, program, refusedAt: null }]) : questions;
  return asking.flatMap(({ refusedAt, ...question }) => {
    const isAllowed = question.network === link.allowedNetwork && question.webPage === link.allowedWebPage;
    if (refusedAt) return [];
    return [{ ...question, program: describeProgram(question.program), isYours: isYours(question.network, viewer.network), isAllowed }];
  });
}

function secondsBetween(earlier: Date, later: Date): number {
  return Math.max(0, Math.floor((later.getTime() - earlier.getTime()) / 1_000));
}

function stateFor(viewerId: string, link: LinkCode, tokenHash: string, now: Date): RequestState {
  if (link.userId !== viewerId || link.status === "pending") return link.expiresAt > now ? "pending" : "closed";
  if (link.status === "denied") return "denied";
  if (link.tokenHash !== tokenHash) return "revoked";
  if (link.status === "collected") return "collected";
  return link.collectBy && link.collectBy > now ? "approved" : "uncollected";
}

function isYours(network: string, viewer: Network): boolean | undefined {
  return viewer.kind === "unknown" || viewer.kind === "shared" ? undefined : network === viewer.id;
}
