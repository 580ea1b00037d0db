import type { ServerResponse } from "node:http";
import { BARE_POLICY, POLICY_HEADERS, STRICT_TRANSPORT } from "@/lib/platform/http/plain-page";

/** What a page of ours loads, and no browser shows as a page; never what a user stored. */
const LOADED_BY_PAGES = /^(?:text\/css|(?:application|text)\/javascript|font\/)/;
/** All of the policy that concerns those; the rest would be a quarter of a kilobyte of each. */
const FOR_LOADED = ["X-Content-Type-Options", "Cross-Origin-Resource-Policy"];

/**
 * Completes the head of every response to a browser. Next's pages bring their own policy (proxy.ts); its assets,
 * redirects and errors bring none. This happens when the head is written, because a route's own header would not
 * replace an existing one. `isSecure`: people open this service over HTTPS. Then calls `onHead`, which may change the
 * status.
 */
export function completeHead(response: ServerResponse, isSecure: boolean, onHead: () => void = () => {}): void {
  const writeHead = response.writeHead;
  // Also called if a body is written without an explicit head.
  response.writeHead = function (this: ServerResponse, status: number, ...head: unknown[]) {
    this.writeHead = writeHead;
    this.statusCode = status;
    const isLoaded = this.req.url?.startsWith("/_next/static/") && LOADED_BY_PAGES.test(typeOf(this, head));
    if (!isLoaded) setMissing(this, "Content-Security-Policy", BARE_POLICY);
    for (const [name, value] of Object.entries(POLICY_HEADERS))
      if (!isLoaded || FOR_LOADED.includes(name)) setMissing(this, name, value);
    if (isSecure) setMissing(this, "Strict-Transport-Security", STRICT_TRANSPORT);
    onHead();
    return Reflect.apply(writeHead, this, [this.statusCode, ...head]);
  } as ServerResponse["writeHead"];
}

function typeOf(response: ServerResponse, head: unknown[]): string {
  const inHead = head.find((part): part is Record<string, unknown> => typeof part === "object" && part !== null);
  return String(inHead?.["Content-Type"] ?? response.getHeader("Content-Type") ?? "");
}

function setMissing(response: ServerResponse, name: string, value: string): void {
  if (!response.hasHeader(name)) response.setHeader(name, value);
}
