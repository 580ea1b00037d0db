import { createContext, useContext } from "react";
import type { WaysToConfirm } from "@/lib/accounts/confirm";
import type { Outcome } from "../outcome";

/** Opens the dialog in which users confirm who they are. Returns whether they did. */
export const AskIdentityContext = createContext<(ways: WaysToConfirm) => Promise<boolean>>(async () => false);

/**
 * Runs an action. If its user must first confirm who they are, asks for it, and then runs the action again. Null: they
 * do not want to.
 */
export function useConfirmed() {
  const ask = useContext(AskIdentityContext);
  return async function confirmed<T>(action: () => Promise<Outcome<T>>): Promise<Outcome<T> | null> {
    const answer = await action();
    if (!("error" in answer) || !answer.proof) return answer;
    return (await ask(answer.proof)) ? action() : null;
  };
}
