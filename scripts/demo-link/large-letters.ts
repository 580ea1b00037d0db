const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const WIDTH = 6;

const ROWS = [
  " ███  ████   ████ ████  █████ █████  ████ █   █     █ █   █ █     █   █ █   █ ████   ███  ████   " +
    "████ █████ █   █ █   █ █   █ █   █ █   █ █████ ",
  "█   █ █   █ █     █   █ █     █     █     █   █     █ █  █  █     ██ ██ ██  █ █   █ █   █ █   █ █   " +
    "    █   █   █ █   █ █   █  █ █   █ █     █  ",
  "█████ ████  █     █   █ ████  ████  █  ██ █████     █ ███   █     █ █ █ █ █ █ ████  █ █ █ ████   " +
    "███    █   █   █ █   █ █ █ █   █     █     █   ",
  "█   █ █   █ █     █   █ █     █     █   █ █   █ █   █ █  █  █     █   █ █  ██ █     █  █  █  █      " +
    "█   █   █   █  █ █  ██ ██  █ █    █    █    ",
  "█   █ ████   ████ ████  █████ █      ████ █   █  ███  █   █ █████ █   █ █   █ █      ██ █ █   █ " +
    "████    █    ███    █   █   █ █   █   █   █████ ",
];

/** The letters of a code, five lines high, as wide as `columns` allows. */
export function largeLetters(code: string, columns: number): string {
  const isRoomy = columns > 2 * WIDTH * code.length;
  const lines = ROWS.map((row) =>
    [...code].map((letter) => row.slice(LETTERS.indexOf(letter) * WIDTH).slice(0, WIDTH)).join(""),
  );
  return lines.map((line) => `  ${isRoomy ? line.replace(/./g, "$&$&") : line}`.trimEnd()).join("\n");
}
