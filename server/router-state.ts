import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { badRequest } from "@/lib/platform/errors";

/**
 * Throws 400 `bad_request` if Next could not parse its router's state (the header Next-Router-State-Tree). Follows
 * Next's own rule, which Next applies only while rendering: there it would be our fault, with a 500 and a log line.
 */
export function checkRouterState(state: string | undefined): void {
  try {
    parseAndValidateFlightRouterState(state);
  } catch {
    throw badRequest("The header Next-Router-State-Tree is not valid. Load the page again.");
  }
}
