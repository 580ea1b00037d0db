import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const PROGRAM = `
import { outliveFaults } from "./server/faults";
outliveFaults();
setTimeout(() => { throw new Error("the first"); });
setTimeout(() => Promise.reject(new Error("the second")), 10);
setTimeout(() => console.log("still here"), 50);
`;

test("what fails outside of a request is written down, and the process goes on", async () => {
  const parameters = ["--import", "tsx", "--input-type=module", "--eval", PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, parameters, {
    env: { ...process.env, LOG_LEVEL: "info" },
  });
  expect(stdout).toContain("still here");
  for (const message of ["the first", "the second"]) expect(stdout).toContain(message);
});
