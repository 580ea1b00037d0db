import { CALL } from "./command";
import { adminProgram } from "./program";

export const ADMIN_PAGE = "docs/admin.md";

/** Width of the help in the page, in columns. */
const WIDTH = 100;

/** The page about the admin command: the help of each of its commands. */
export function adminPage(): string {
  let help = "";
  const program = adminProgram();
  for (const [index, command] of program.commands.entries()) {
    const group = command.helpGroup();
    if (group !== program.commands[index - 1]?.helpGroup()) help += `## ${group.replace(":", "")}\n\n`;
    help += `### ${command.name()}\n\n\`\`\`\n`;
    command
      .configureOutput({
        writeOut: (text) => {
          help += text;
        },
        getOutHelpWidth: () => WIDTH,
      })
      .outputHelp();
    help += "```\n\n";
  }
  return `# The admin command

\`${CALL} <command>\` works while the service is running, and before its first start. It prints its result on
standard output, as one JSON line unless the command's help says otherwise, and messages on standard error. The exit
status is 2 for a usage error and 1 if the command fails.

This page is what \`--help\` shows for each command (\`npm run admin:page\` writes it).

${help.trimEnd()}
`;
}
