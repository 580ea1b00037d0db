import { InvalidArgumentError } from "@commander-js/extra-typings";
import { endRequest } from "@/lib/link/end";
import { MAX_RECENT, RECENT_SECONDS, recentLinks } from "@/lib/link/operator";
import { OPERATOR } from "@/lib/platform/audit";
import { durationInWords } from "@/lib/platform/bounds";
import { blockedNetworks, blockNetwork, unblockNetwork } from "@/lib/platform/network/block";
import { command, commandAction } from "../command";
import { printJson } from "../terminal";

export const linkCommands = [
  command("link:list", "List recent requests to link a program", "link:list")
    .description(
      `List the latest ${MAX_RECENT} requests of programs in the last ${durationInWords(RECENT_SECONDS)}: one JSON ` +
        "line each, latest first.",
    )
    .action(commandAction(async () => (await recentLinks()).links)),
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

const UNITS: Record<string, number> = { m: 60, h: 3_600, d: 86_400 };
const NETWORK = "An IPv4 address, or a network like 203.0.113.0/24 or 2001:db8:1:2::/64";
/** Networks per query. */
const PAGE = 500;

export const networkCommands = [
  command("network:block", "Refuse every request from a network", "network:block 203.0.113.0/24 --for 1d")
    .description(
      "Refuse every request from a network, in every process within a second. IPv4 up to a /16, IPv6 from a /64 up " +
        "to a /32; an IPv6 address stands for its /64. Replaces any earlier block of the same network.",
    )
    .argument("<network>", NETWORK)
    .option("--for <time>", "How long: 30m, 1h, 1d, 30d; without it, until you unblock it", duration)
    .option("--reason <text>", "Why, for other operators: 200 characters", "")
    .action(
      commandAction(async (network, { for: seconds = null, reason }) =>
        blockNetwork({ network, seconds, reason }, { actorId: OPERATOR }),
      ),
    ),
  command("network:unblock", "Unblock a network", "network:unblock 203.0.113.0/24")
    .argument("<network>", "A network as network:list shows it")
    .action(commandAction(async (network) => ({ unblocked: await unblockNetwork(network, { actorId: OPERATOR }) }))),
  command("network:list", "List the networks that are blocked", "network:list")
    .description("List the networks that are blocked: one JSON line each, latest first.")
    .action(
      commandAction(async () => {
        let before: number | undefined;
        do {
          const blocks = await blockedNetworks(PAGE, before);
          for (const { id: _, ...block } of blocks) printJson(block);
          before = blocks.length === PAGE ? blocks.at(-1)?.id : undefined;
        } while (before !== undefined);
        return undefined;
      }),
    ),
];

function duration(written: string): number {
  const [, count, unit = ""] = /^([1-9]\d{0,5})([mhd])$/.exec(written) ?? [];
  if (count === undefined)
    throw new InvalidArgumentError("The time must be a number of minutes, hours or days: 30m, 1h, 1d.");
  return Number(count) * (UNITS[unit] ?? 0);
}
