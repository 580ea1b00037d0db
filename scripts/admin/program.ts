import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { plainLines } from "@/lib/platform/safe-text";
import manifest from "@/package.json";
import { CALL, command } from "./command";
import { accountCommands } from "./commands/accounts";
import { backupCommands } from "./commands/backups";
import { fileCommands } from "./commands/files";
import { claimCommands, keyCommands } from "./commands/keys";
import { linkCommands, networkCommands } from "./commands/links";
import { tokenCommands } from "./commands/tokens";
import { upkeepCommands } from "./commands/upkeep";
import { userCommands } from "./commands/users";

/** The file latchkey runs it. Here it is for the help, and for what is mistyped. */
const start = command("start", "Run the service", "start").action(() => {
  throw new Error(`Type ${CALL} start to run the service.`);
});

const GROUPS: Record<string, CommandUnknownOpts[]> = {
  Service: [start],
  Users: [...userCommands, ...accountCommands],
  Tokens: tokenCommands,
  Files: fileCommands,
  Keys: [...keyCommands, ...claimCommands],
  Links: linkCommands,
  Networks: networkCommands,
  Backups: backupCommands,
  Upkeep: upkeepCommands,
};

/** Names a mistake in a line or two, where its parent would print the help of every command. */
class AdminProgram extends Command {
  override help(context?: unknown): never {
    if (typeof context !== "object") return super.help();
    const [, name] = this.args;
    this.error(
      name === undefined ? `error: missing command\nUsage: ${usageOf(this)}` : `error: unknown command '${name}'`,
    );
  }
}

/**
 * The admin command. (commander 14 is the last for Node.js 20.) Parsing throws a CommanderError for invalid arguments,
 * and after help was shown.
 */
export function adminProgram(): Command {
  const program = new AdminProgram(CALL)
    .description("Works while the service is running and before its first start.")
    .helpOption("-h, --help", "Show help")
    .version(manifest.version, "-V, --version", "Show the version")
    .commandsGroup("Help:")
    .helpCommand("help [command]", "Show help for a command")
    .addHelpText("after", `\nHelp for a command: ${CALL} <command> --help`)
    .configureHelp({ commandUsage: usageOf, subcommandTerm: (one) => [one.name(), ...argumentsOf(one)].join(" ") })
    .showHelpAfterError(`All commands: ${CALL} --help`)
    .configureOutput({ writeErr: (text) => process.stderr.write(plainLines(text)) })
    .exitOverride();
  for (const [group, commands] of Object.entries(GROUPS))
    for (const command of commands) {
      command.helpGroup(`${group}:`).copyInheritedSettings(program);
      program.addCommand(command.showHelpAfterError(`Usage: ${usageOf(command)}`));
    }
  return program;
}

function usageOf(command: CommandUnknownOpts): string {
  if (command.name() === CALL) return `${CALL} <command>`;
  const options = command.options.map(({ flags }) => `[${flags}]`);
  return [CALL, command.name(), ...argumentsOf(command), ...options].join(" ");
}

function argumentsOf(command: CommandUnknownOpts): string[] {
  return command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? "..." : ""}`;
    return argument.required ? (argument.argChoices?.join("|") ?? `<${name}>`) : `[${name}]`;
  });
}
