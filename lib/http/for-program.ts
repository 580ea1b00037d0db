import { isConsole } from "./pages";

/** Whether a program asks, and so gets JSON where a person gets a page: a person's browser accepts HTML. */
export function isForProgram(accept: string | undefined): boolean {
  return !/\btext\/html\b/i.test(accept ?? "");
}

/** The headers by which scripts of our pages ask for a page's contents and call its actions. */
const FROM_OUR_SCRIPTS = ["rsc", "next-action"];

/** Whether a program asked for a page of the console. Like any unknown address, that does not exist for it. */
export function isConsoleForProgram(path: string, header: (name: string) => string | null | undefined): boolean {
  return (
    isConsole(path) &&
    isForProgram(header("accept") ?? undefined) &&
    !FROM_OUR_SCRIPTS.some((name) => typeof header(name) === "string")
  );
}
