import { afterAll, afterEach } from "vitest";

// A test with unexpected output fails: the line is a mistake, or the test has not declared that it expects it.
const printed: string[] = [];
for (const method of ["debug", "log", "info", "warn", "error", "trace"] as const)
  console[method] = (...values: unknown[]) => {
    printed.push(`console.${method}(${values.map(String).join(", ")})\n${new Error().stack}`);
  };

function failIfPrinted() {
  const lines = printed.splice(0);
  if (lines.length > 0) throw new Error(`Unexpected output on the console:\n${lines.join("\n")}`);
}

afterEach(failIfPrinted);
afterAll(failIfPrinted);
