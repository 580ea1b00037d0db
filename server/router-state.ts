import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { ApiError } from "@/lib/errors";

/**
 * Throws 400 `bad_request` where Next could not read what its router says it shows (the header Next-Router-State-Tree). By Next's own
 * rule, which it applies only once it renders: there it is a fault of ours, with a 500 and a line in the log.
 */
export function checkRouterState(state: string | undefined): void {
  try {
    parseAndValidateFlightRouterState(state);
  } catch {
    throw new ApiError(400, "bad_request", "The header Next-Router-State-Tree is not valid. Load the page again.");
  }
}
