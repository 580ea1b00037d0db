import type { Network } from "@/lib/platform/network/network";

/** The request that something is done for: each function picks what it uses. */
export interface RequestContext {
  /** Who does it, if it is not the user whose account it is. */
  actorId?: string;
  network: Network;
  /** The session of the browser. */
  sessionId?: string;
  now?: Date;
}

/** Of something that is done to an account. */
export type ActorContext = Pick<RequestContext, "actorId" | "now">;

/** Of something that a browser does, signed in or not. */
export type NetworkContext = Pick<RequestContext, "network" | "now">;

/** Of something that the user is notified of by e-mail: with the network, and the browser of the session. */
export type NoticeContext = Pick<RequestContext, "sessionId" | "now"> & { network?: Pick<Network, "id"> };
