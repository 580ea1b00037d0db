import { addAbortSignal } from "node:stream";
import { text } from "node:stream/consumers";
import { interrupted } from "./interrupted";

/** What was typed, or for - what arrives on standard input, without the end of its last line. */
export async function readInput(typed: string): Promise<string> {
  return typed === "-" ? (await text(addAbortSignal(interrupted, process.stdin))).replace(/\r?\n$/, "") : typed;
}
