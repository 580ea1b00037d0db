import { Argument, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { command } from "./command";
import { print } from "./output";

const SHELLS = ["bash", "zsh", "fish"] as const;

/** What may follow some words: the names of commands and options, with what they do. */
interface Choice {
  after: string;
  word: string;
  description: string;
}

function choicesOf(program: CommandUnknownOpts, after = ""): Choice[] {
  const options = program.options.filter(({ hidden }) => !hidden);
  return [
    ...program.commands.map((one) => ({ after, word: one.name(), description: one.description() })),
    ...options.map(({ long, description }) => ({ after, word: long ?? "", description })),
    ...program.registeredArguments.flatMap(({ argChoices = [], description }) =>
      argChoices.map((word) => ({ after, word, description })),
    ),
    ...program.commands.flatMap((one) => choicesOf(one, `${after} ${one.name()}`.trim())),
  ];
}

const WRITE: Record<(typeof SHELLS)[number], (choices: Choice[]) => string> = { bash, zsh, fish };

/** The command that prints the script with which a shell completes the others. */
export const completion = (program: () => CommandUnknownOpts) =>
  command("completion", "Print a script that completes commands", "completion bash >> ~/.bashrc")
    .addArgument(new Argument("<shell>", "The shell").choices(SHELLS))
    .action((shell, { json }) => {
      const script = WRITE[shell](choicesOf(program()));
      print({ shell, script }, json, script.trimEnd());
    });

/** The words after each command, as cases of a shell. The words before the current one, without options, choose. */
function cases(choices: Choice[], line: (choices: Choice[]) => string): string {
  const groups = [...new Set(choices.map(({ after }) => after))];
  return groups
    .map((after) => `    "${after}") ${line(choices.filter((choice) => choice.after === after))} ;;\n`)
    .join("");
}

function bash(choices: Choice[]): string {
  const names = (some: Choice[]) => `words="${some.map(({ word }) => word).join(" ")}"`;
  return `_latchkey() {
  local current=\${COMP_WORDS[COMP_CWORD]} before= word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
      -*) ;;
      keys | files) before=$word ;;
      *) case $before in "" | keys | files) before="\${before:+$before }$word" ;; esac ;;
    esac
  done
  case $before in
${cases(choices, names)}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _latchkey latchkey
`;
}

function zsh(choices: Choice[]): string {
  const described = (some: Choice[]) =>
    `words=(${some.map(({ word, description }) => quoted(`${word}:${description.replaceAll(":", "\\:")}`)).join(" ")})`;
  return `#compdef latchkey
_latchkey() {
  local before= word
  local -a words_before words_after
  words_before=(\${words[2,CURRENT-1]})
  for word in $words_before; do
    case $word in
      -*) ;;
      keys | files) before=$word ;;
      *) case $before in "" | keys | files) before="\${before:+$before }$word" ;; esac ;;
    esac
  done
  case $before in
${cases(choices, described).replaceAll(") words=(", ") words_after=(")}  esac
  (( $#words_after )) && _describe latchkey words_after || _files
}
compdef _latchkey latchkey
`;
}

function fish(choices: Choice[]): string {
  const lines = choices.map(({ after, word, description }) => {
    const isOption = word.startsWith("--");
    const [first, second] = after.split(" ");
    const siblings = choices.filter((choice) => choice.after === after && !choice.word.startsWith("--"));
    const seen = [first, second].filter(Boolean).map((one) => `__fish_seen_subcommand_from ${one}`);
    const none = `not __fish_seen_subcommand_from ${siblings.map((choice) => choice.word).join(" ")}`;
    const conditions = [...seen, ...(isOption ? [] : [none])];
    const when = conditions.length > 0 ? ` -n ${quoted(conditions.join("; and "))}` : "";
    const what = isOption ? `-l ${word.slice(2)}` : `-f -a ${word}`;
    return `complete -c latchkey${when} ${what} -d ${quoted(description)}\n`;
  });
  return lines.join("");
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
