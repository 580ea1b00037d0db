import { endRequest } from "@/lib/link/approve";
import { MAX_RECENT, RECENT_SECONDS, recentLinks } from "@/lib/link/operator";
import { OPERATOR } from "@/lib/platform/audit";
import { durationInWords } from "@/lib/platform/bounds";
import { command, commandAction } from "../command";
import { printJson } from "../terminal";

export const linkCommands = [
  command("link:list", "List recent requests to link a program", "link:list")
    .description(
      `List the latest ${MAX_RECENT} requests of programs in the last ${durationInWords(RECENT_SECONDS)}: one JSON ` +
        "line each, latest first.",
    )
    .action(
      commandAction(async () => {
        for (const link of (await recentLinks()).links) printJson(link);
        return undefined;
      }),
    ),
  command("link:end", "End a program's request", "link:end 0123456789abcdef0123456789abcdef")
    .description("End a program's request: nobody can approve its code, and it gets no token.")
    .argument("<id>", "The request's id, as link:list shows it")
    .action(
      commandAction(async (id) => {
        await endRequest(OPERATOR, id);
        return { ended: id };
      }),
    ),
];
