import { readFileSync } from "node:fs";
import type { Action, FindAction } from "./gate-limits";

/** An action of a build, as its declaration limits it (scripts/action-limits.ts). */
export type StoredAction = Pick<Action, "bodyBytes" | "strangersBytes"> & { pages: string[] };

/** The input, and the id of a press (app/(pages)/action.ts). */
const ARGUMENTS = 2;

/** The actions of a build of Next. */
export function actionsOf(buildFolder: string): FindAction {
  const stored: Record<string, StoredAction> = JSON.parse(readFileSync(`${buildFolder}/actions.json`, "utf8"));
  const actions = new Map(
    Object.entries(stored).map(([id, action]) => [
      id,
      { ...action, arguments: ARGUMENTS, pages: new Set(action.pages) },
    ]),
  );
  return (id) => actions.get(id);
}
