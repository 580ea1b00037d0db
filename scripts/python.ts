import { spawnSync } from "node:child_process";

/** In this order: setuptools wants to be the first. */
const NEEDED = "import setuptools, wheel, pip, ensurepip, venv, sys; sys.exit(sys.version_info < (3, 9))";

/** A Python that can build and install a wheel: the one on the PATH, or else Debian's; undefined if there is none. */
export function findPython(): string | undefined {
  return ["python3", "/usr/bin/python3"].find(
    (program) => spawnSync(program, ["-c", NEEDED], { stdio: "ignore" }).status === 0,
  );
}
