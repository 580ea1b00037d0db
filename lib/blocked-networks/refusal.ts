import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";

/** Every request from a blocked network gets it, except those for `OPEN_TO_ALL`. */
export const networkBlocked = () =>
  new ApiError(
    403,
    "network_blocked",
    "This service takes no requests from your network. " +
      (env.CONTACT ? `If that is a mistake, write to ${env.CONTACT}.` : "If that is a mistake, tell its operator."),
  );

/**
 * Load balancers and monitors ask these, and they tell nothing that a blocked client could use. So a block that was
 * entered by mistake never takes a healthy process out of service.
 */
export const OPEN_TO_ALL: readonly string[] = ["/health", "/ready"];
