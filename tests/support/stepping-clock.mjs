// Loaded before the service: its clock can be set. On SIGUSR2, the process reads from the file CLOCK_IS_WRONG_BY by how
// many milliseconds it is wrong, and confirms by removing the file. Timers continue, as when a system's clock is set.
import { readFileSync, rmSync } from "node:fs";

const file = process.env.CLOCK_IS_WRONG_BY;
const Real = globalThis.Date;
let wrongBy = Number(process.env.CLOCK_STARTS_WRONG_BY ?? 0);

const now = () => Real.now() + wrongBy;

globalThis.Date = new Proxy(Real, {
  apply: () => new Real(now()).toString(),
  construct: (target, parameters, newTarget) =>
    Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, newTarget),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});

process.on("SIGUSR2", () => {
  wrongBy = Number(readFileSync(file, "utf8"));
  rmSync(file);
});
