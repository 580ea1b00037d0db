import { isNotMigrated, isStorageFull, isUnavailable } from "@/lib/platform/db/errors";
import { ApiError, dataDamaged, internal, isDamage, storageFull, unavailable } from "@/lib/platform/errors";
import { isConsole } from "@/lib/platform/http/pages";
import { plainPage } from "@/lib/platform/http/plain-page";
import { type Answer, errorAnswer } from "@/lib/platform/http/response";
import { log } from "@/lib/platform/log";
import { countRequest } from "@/lib/platform/metrics";
import { PROBED } from "@/lib/platform/network/host";

/** Whether a program requests it, and so gets JSON where a user gets a page: a user's browser accepts HTML. */
export function isForProgram(accept: string | null | undefined): boolean {
  return !/\btext\/html\b/i.test(accept ?? "");
}

/** Finds a header of a request by its name. */
type HeaderOf = (name: string) => string | null | undefined;

/** The headers by which scripts of our pages request a page's contents and call its actions. */
const FROM_OUR_SCRIPTS = ["rsc", "next-action"];

/** Whether a page's script calls an action. */
export const isCall = (method: string | undefined, header: HeaderOf) =>
  method === "POST" && typeof header("next-action") === "string";

/** Whether a program requested a page of the console. Like any unknown address, that does not exist for it. */
export function isConsoleForProgram(path: string, header: HeaderOf): boolean {
  return (
    isConsole(path) &&
    isForProgram(header("accept")) &&
    !FROM_OUR_SCRIPTS.some((name) => typeof header(name) === "string")
  );
}

/** The headings of the pages for people, by code or by status. */
const TITLES: Record<string | number, string> = {
  form_without_script: "This form needs JavaScript",
  403: "Your network is blocked",
  405: "This address can't do that",
  413: "Too much data",
  414: "Address too long",
  421: "Wrong address",
  429: "One moment",
  431: "Headers too large",
  503: "One moment",
};

/**
 * The response to a request for a page that is refused before anything handles it: a page for a person, and the
 * contract's error body for everybody else. The script of a page that calls an action gets that as plain text, and
 * shows its sentence: Next passes on nothing else, but as an unexpected response.
 */
export function refusalAnswer(error: ApiError, method: string | undefined, header: HeaderOf): Answer {
  if (isCall(method, header)) {
    const headers = { ...error.headers, "Content-Type": "text/plain", "Cache-Control": "no-store" };
    return { ...errorAnswer(error), headers };
  }
  if (isForProgram(header("accept"))) return errorAnswer(error);
  return plainPage(error, TITLES[error.code] ?? TITLES[error.status] ?? "Something went wrong");
}

/** The error to send to the client. Our own faults are logged as `what`; the response gives no details. */
export function refusalOf(thrown: unknown, what: string, id?: string): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isStorageFull(thrown)) return storageFull();
  if (isNotMigrated(thrown)) {
    log.error(
      { id },
      "the database has not been migrated, so it lacks tables: run npx tsx scripts/migrate.ts with its DATABASE_URL",
    );
    return unavailable();
  }
  if (isUnavailable(thrown)) {
    log.warn({ id, err: thrown }, "the database did not respond");
    return unavailable();
  }
  log.error({ id, err: thrown }, what);
  return isDamage(thrown) ? dataDamaged() : internal();
}

/** A completed request. */
export interface RespondedRequest {
  id: string;
  /** The pattern, never the address, which holds tokens and codes. */
  route: string;
  method: string | undefined;
  status: number;
  /** By `performance.now()`. */
  started: number;
  /** The caller, if authenticated. */
  userId?: string;
}

/** Writes the one log line of a request, and counts it. */
export function recordRequest({ id, route, method, status, started, userId }: RespondedRequest): void {
  const ms = Math.round((performance.now() - started) * 10) / 10;
  // Every few seconds, for as long as it runs: others would be hard to find among them.
  const level = status === 200 && PROBED.includes(route) ? "debug" : "info";
  log[level]({ id, route, method, status, ms, userId });
  countRequest(route, status, ms);
}
