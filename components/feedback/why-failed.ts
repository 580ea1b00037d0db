import { unstable_isUnrecognizedActionError as isUnknownAction } from "next/navigation";

const UNREACHABLE = "The service could not be reached. Check your connection, then try again.";

/** The sentence of a page that was open while the service was replaced by another version. */
export const EARLIER_VERSION =
  "This page is of an earlier version of the service. Copy what you've typed here, then reload the page.";

/** The sentence of a page that was opened under another address than the service's own. */
export const elsewhere = (address: string) =>
  `This only works from this service's own pages. Open ${address} and try again.`;

/**
 * Why a page's request failed that got no answer of ours: the service has another version by now, the page was opened
 * under an address that is not the service's own, or nothing could be reached.
 */
export async function whyFailed(thrown: unknown): Promise<string> {
  if (isUnknownAction(thrown)) return EARLIER_VERSION;
  // A part of the page's script that cannot be loaded: the new version has others.
  const isPart = thrown instanceof Error && thrown.name === "ChunkLoadError";
  if (isPart && (await isReachable())) return EARLIER_VERSION;
  const address = otherAddress();
  return address ? elsewhere(address) : UNREACHABLE;
}

async function isReachable(): Promise<boolean> {
  return fetch("/health", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The service's own address, if this page was opened under another one; null if not. */
export function otherAddress(): string | null {
  const { address } = document.documentElement.dataset;
  return address && address !== window.location.origin ? address : null;
}

/** What a response holds; undefined if that is no JSON, as from a program in front of the service. */
export function asJson(text: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The sentence of a refusal. What a program in front of the service sends has none of ours. */
export function refusalIn(status: number, body: Record<string, unknown> | undefined): string {
  if (typeof body?.error === "string") return body.error;
  if (status === 413) return "A proxy in front of this service doesn't accept requests this large.";
  return `The service sent an unexpected response (${status}). Try again in a moment.`;
}
