import { readable } from "./output";

/** Shows how far a pull is, on one line of a terminal, ten times a second at most. */
export function progress(): { show: (files: number, bytes: number) => void; clear: () => void } {
  const { stderr } = process;
  let shown = 0;
  const show = (files: number, bytes: number) => {
    if (!stderr.isTTY || Date.now() - shown < 100) return;
    shown = Date.now();
    stderr.write(`\r\u001b[K${files} files, ${readable(bytes)}`);
  };
  return { show, clear: () => void (shown > 0 && stderr.write("\r\u001b[K")) };
}
