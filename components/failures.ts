import { unstable_isUnrecognizedActionError as isUnknownAction } from "next/navigation";

export const INCOMPLETE = "This page has not loaded completely";
export const RELOAD = "Reload it. If that doesn't help, try another network or browser.";

/**
 * Whether a part of the page's script could not be loaded, by what its error boundary was given. React does not ask
 * for it again: only the page loaded anew does.
 */
export const isPartMissing = (thrown: unknown) => thrown instanceof Error && thrown.name === "ChunkLoadError";

const UNREACHABLE = "The service could not be reached. Check your connection, then try again.";

/** The sentence of a page that was open while another version began, or that lacks a part of its script. */
export const NEEDS_RELOAD =
  "This page is of an earlier version of the service, or has not loaded completely. " +
  "Copy what you've typed here, then reload the page.";

/** The sentence of a page that was opened under another address than the service's own. */
export const elsewhere = (address: string) =>
  `This only works from this service's own pages. Open ${address} and try again.`;

/** The sentence of a response that our service would not send, or that broke off. */
const UNEXPECTED = "The service didn't respond as expected. Try again in a moment.";

/**
 * Why a page's request failed: it was refused before its action could respond, the service has another version by now,
 * the page was opened under an address that is not the service's own, or nothing could be reached.
 */
export async function whyFailed(thrown: unknown): Promise<string> {
  if (isUnknownAction(thrown)) return NEEDS_RELOAD;
  const isPart = isPartMissing(thrown);
  if (isPart && (await isReachable())) return NEEDS_RELOAD;
  const refusal = refusalOfCall(thrown);
  if (refusal && !ELSEWHERE.includes(refusal.code)) return refusal.error;
  const address = otherAddress();
  if (address) return elsewhere(address);
  if (refusal) return refusal.error;
  // `fetch` throws this if there is no response.
  return thrown instanceof Error && !(thrown instanceof TypeError) && !isPart ? UNEXPECTED : UNREACHABLE;
}

/** The codes of refusals that are about the address under which a page was opened. */
const ELSEWHERE: unknown[] = ["foreign_origin", "misdirected_request"];

/** The refusal of a call before its action: Next throws an error whose message is the text of the response. */
function refusalOfCall(thrown: unknown): { error: string; code: unknown } | undefined {
  const body = thrown instanceof Error ? asJson(thrown.message) : undefined;
  return typeof body?.error === "string" ? { error: body.error, code: body.code } : undefined;
}

/** Whether the service responds, with its database. */
export const isReachable = () => health().then((response) => response?.ok === true);

/** Whether the service responds, and its database does not. */
export const isDatabaseAway = () => health().then((response) => response?.status === 503);

async function health(): Promise<Response | undefined> {
  return fetch("/health", { cache: "no-store" }).catch(() => undefined);
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
