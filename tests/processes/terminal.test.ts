import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { promptPassword } from "@/scripts/admin/password";
import { agrees } from "@/scripts/admin/terminal";

/** Somebody at a terminal who types `lines`, each when the question before it has been asked. */
async function type(...lines: string[]): Promise<{ password: unknown; shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = "";
  output.on("data", (chunk) => {
    shown += chunk;
  });
  const asked = promptPassword(
    { question: "New password for alice", word: "password", isNew: true },
    input,
    output,
  ).catch((error: unknown) => error);
  for (const [index, line] of lines.entries()) {
    while (shown.split(": ").length < index + 2) await sleep(1);
    input.write(line);
  }
  return { password: await asked, shown };
}

test("a password is asked for twice, and nothing of it is shown", async () => {
  const { password, shown } = await type("correct horsx\x7fe\r", "correct horse\r");
  expect(password).toBe("correct horse");
  expect(shown).toBe("New password for alice: \nRepeat it: \n");
});

test("an empty one is none, and is not asked for again", async () => {
  expect(await type("\r")).toEqual({ password: null, shown: "New password for alice: \n" });
});

test("lines that come before they are asked for count", async () => {
  expect((await type("correct horse\rcorrect horse\r")).password).toBe("correct horse");
});

test.each(["correct\x03", "\x04"])("breaking off with %j changes nothing", async (typed) => {
  const { password, shown } = await type(typed);
  expect(String(password)).toBe("Error: Nothing was changed.");
  expect(shown).toBe("New password for alice: \n");
});

test.each([
  ["y\n", true],
  [" Yes \n", true],
  ["n\n", false],
  ["\n", false],
  ["yesterday\n", false],
  // Who ends the input.
  ["", false],
])("of what is typed at a question, %j agrees: %s", async (typed, expected) => {
  const input = new PassThrough();
  if (typed) input.write(typed);
  else input.end();
  expect(await agrees("Replace them all?", input, new PassThrough())).toBe(expected);
});
