import { type Access, storedAccess } from "@/lib/platform/access";
import { db } from "@/lib/platform/db/client";
import type { Network } from "@/lib/platform/network/network";
import { describeProgram, siteOf } from "@/lib/platform/user-agent";
import type { AccessToken, LinkCode } from "@/prisma/generated/sqlite/client";
import type { Actor } from "./enter";
import {
  audienceOnPage,
  nameOnPage,
  proposedChoice,
  requestedAccessOf,
  type ShownAudience,
  type TokenChoice,
} from "./program";
import { questionsFor } from "./questions";
import { COLLECT_WITHIN_SECONDS, isCollected, isLinked, type PageState, pageState } from "./states";
import { MAX_WAIT_SECONDS, waitForChange } from "./wait";

/** Further accounts are only counted. */
const MAX_ACCOUNTS = 5;

/** Where something happened. */
export interface Whereabouts {
  /** Null: not for this viewer. */
  network: string | null;
  /** Whether it is the viewer's network; undefined if this deployment cannot tell. */
  isYours: boolean | undefined;
}

/** A program on another network that polls for the token and needs permission. */
export interface PendingProgram extends Whereabouts {
  network: string;
  /** What it calls itself; may be empty. */
  program: string;
  /** The origin of its web page; "" if none. */
  webPage: string;
  isAllowed: boolean;
}

/** How the program collected the token. */
export interface Collection extends Whereabouts {
  program: string;
  secondsSince: number;
  repeats: number;
}

/** Shown only to the approver: who else knew the code, and which programs need permission. */
export interface Onlookers {
  pending: PendingProgram[];
  /** How many networks that did not prove to be the program's polled for the token. */
  networks: number;
  /** How many other accounts entered the code, and some of them. */
  accountCount: number;
  accounts: { username: string; network: string }[];
}

/**
 * A program's request as the page shows it to one user. Times are seconds from now, so that a wrong clock in the
 * browser does not matter.
 */
export interface LinkRequest {
  state: PageState;
  /** The name that the program gives itself; may be empty. */
  name: string;
  /** The access that it requested; null: none. */
  access: Access | null;
  /** What the page proposes to give it. */
  proposed: TokenChoice;
  /** To whom a token of its own proves who its user is; null: to nobody. */
  audience: ShownAudience | null;
  /** The program's own token, for the approver; null: it gets the account's. */
  token: { id: string; name: string; access: Access; expiresAt: Date | null } | null;
  /** What else the program reports of itself; may be empty. */
  program: string;
  /**
   * The origin of the web page of another site that requested it, "null" for one that hides it; null if no web page
   * did.
   */
  webPage: string | null;
  secondsSinceRequested: number;
  /** Seconds until it can no longer be approved or, once approved, collected. */
  secondsLeft: number;
  requested: Whereabouts;
  collected: Collection | null;
  onlookers: Onlookers | null;
  /** Another one if the page must show something else. */
  version: string;
}

/** What a signed-in user whose session holds the form may know of a request, or null if it no longer exists. */
export async function viewRequest(viewer: Actor, linkId: string, now = new Date()): Promise<LinkRequest | null> {
  const link = await db.linkCode.findUnique({ where: { id: linkId } });
  if (!link) return null;
  const own = link.tokenHash === null ? await db.accessToken.findUnique({ where: { id: link.id } }) : null;
  const state = pageState(link, { id: viewer.id, holdsToken: own !== null || (await hasToken(viewer, link)) }, now);
  const isApprover = isLinked(state);
  const access = requestedAccessOf(link);
  const collected = isApprover ? collectedFrom(link, viewer, now) : null;
  const onlookers = isApprover ? await onlookersOf(link, viewer) : null;
  return {
    state,
    name: nameOnPage(link),
    access,
    proposed: proposedChoice(access),
    audience: audienceOnPage(link),
    token: isApprover && own ? presentToken(own) : null,
    program: describeProgram(link.program),
    webPage: link.webPage,
    secondsSinceRequested: secondsBetween(link.createdAt, now),
    secondsLeft: secondsLeft(link, viewer, now),
    requested: requestedFrom(link, viewer, isApprover),
    collected,
    onlookers,
    version: JSON.stringify([state, collected?.repeats, onlookers?.pending.map(({ isAllowed }) => isAllowed)]),
  };
}

/**
 * Whether a request is no longer at the version that its page shows: waits until then, up to 25 seconds, or not at all
 * if too many are waiting.
 */
export async function isViewChanged(
  viewer: Actor,
  linkId: string,
  { version, signal }: { version: string; signal: AbortSignal },
): Promise<boolean> {
  const link = await db.linkCode.findUnique({ where: { id: linkId }, select: { codeHash: true } });
  if (!link?.codeHash) return true;
  const wait = { seconds: MAX_WAIT_SECONDS, signal, isHonoured: false };
  const code = { codeHash: link.codeHash, linkId, network: viewer.network };
  const last = await waitForChange(code, wait, async (_, now) => {
    const isChanged = (await viewRequest(viewer, linkId, now))?.version !== version;
    return { response: isChanged, isFinal: isChanged };
  });
  return last?.response === true;
}

/** Who is about to approve sees another network, too: it is what tells a stranger's request from one's own. */
function requestedFrom({ network }: LinkCode, viewer: Actor, isApprover: boolean): Whereabouts {
  const isTheirs = isYours(network, viewer.network);
  return { network: isApprover || isTheirs === false ? network : null, isYours: isTheirs };
}

async function hasToken({ id }: Actor, { tokenHash }: LinkCode): Promise<boolean> {
  const user = await db.user.findUniqueOrThrow({ where: { id }, select: { tokenHash: true } });
  return user.tokenHash === tokenHash;
}

function presentToken({ id, name, access, expiresAt }: AccessToken): LinkRequest["token"] {
  return { id, name, access: storedAccess(access), expiresAt };
}

function collectedFrom(link: LinkCode, viewer: Actor, now: Date): Collection | null {
  if (!isCollected(link) || !link.collectedAt || link.collectedNetwork === null) return null;
  return {
    network: link.collectedNetwork,
    isYours: isYours(link.collectedNetwork, viewer.network),
    program: siteOf(link.collectedWebPage ?? "") || describeProgram(link.collectedProgram ?? link.program),
    secondsSince: secondsBetween(link.collectedAt, now),
    repeats: link.repeats ?? 0,
  };
}

async function onlookersOf(link: LinkCode, viewer: Actor): Promise<Onlookers> {
  const others = { linkId: link.id, userId: { not: viewer.id } };
  const [{ networks, likeliest }, accountCount, entries] = await Promise.all([
    questionsFor(link),
    db.linkEntry.count({ where: others }),
    db.linkEntry.findMany({
      where: others,
      orderBy: { at: "desc" },
      take: MAX_ACCOUNTS,
      select: { network: true, user: { select: { username: true } } },
    }),
  ]);
  return {
    pending: isCollected(link) ? [] : pendingOf(link, likeliest, viewer),
    networks,
    accountCount,
    accounts: entries.map(({ network, user }) => ({ username: user.username, network })),
  };
}

type StoredQuestion = Awaited<ReturnType<typeof questionsFor>>["likeliest"][number];

/** Once a program has proved itself by its secret, no other gets permission; but a web page still needs it. */
function pendingOf(link: LinkCode, questions: StoredQuestion[], viewer: Actor): PendingProgram[] {
  const { webPage, network, program } = link;
  const own = webPage === null ? [] : [{ network, webPage, program, refusedAt: null }];
  return (link.boundAt ? own : questions).flatMap(({ refusedAt, ...question }) => {
    const isAllowed = question.network === link.allowedNetwork && question.webPage === link.allowedWebPage;
    const isRequester = question.network === network && question.webPage === webPage;
    if (refusedAt || (isAllowed && isRequester)) return [];
    return [
      {
        ...question,
        program: describeProgram(question.program),
        isYours: isYours(question.network, viewer.network),
        isAllowed,
      },
    ];
  });
}

/** Another machine's clock may be a little ahead: never more than there ever were. */
function secondsLeft({ userId, collectBy, createdAt, expiresAt }: LinkCode, viewer: Actor, now: Date): number {
  return userId === viewer.id && collectBy
    ? Math.min(COLLECT_WITHIN_SECONDS, secondsBetween(now, collectBy))
    : Math.min(secondsBetween(createdAt, expiresAt), secondsBetween(now, expiresAt));
}

function secondsBetween(earlier: Date, later: Date): number {
  return Math.max(0, Math.floor((later.getTime() - earlier.getTime()) / 1_000));
}

/** Whether the code was requested from the viewer's network; undefined if nobody can tell, or there is no code. */
export async function isRequestedHere(viewer: Actor, linkId: string): Promise<boolean | undefined> {
  const link = await db.linkCode.findUnique({ where: { id: linkId }, select: { network: true } });
  return link ? isYours(link.network, viewer.network) : undefined;
}

/** Whether this is another network than the viewer's; false if this deployment cannot tell. */
export const isOnAnother = (network: string, viewer: Actor) => isYours(network, viewer.network) === false;

function isYours(network: string, viewer: Network): boolean | undefined {
  return viewer.kind === "unknown" || viewer.kind === "shared" ? undefined : network === viewer.id;
}
