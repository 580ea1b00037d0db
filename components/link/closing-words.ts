import type { LinkedState, ShownState } from "@/lib/link/states";

export interface ClosingWords {
  title: string;
  text: string;
}

export const UNUSABLE: ClosingWords = {
  title: "This code can't be used",
  text: "It may have expired or already been used. Ask the program for a new one.",
};

/** The text for a request in a final state. `collectWithin`: how long a program may take to collect the token. */
export const closingWords = (state: Exclude<ShownState, LinkedState>, collectWithin: string): ClosingWords =>
  ({
    // Others decided, and this user has been told already.
    pending: UNUSABLE,
    closed: UNUSABLE,
    denied: { title: "Denied", text: "The program gets no access. If it was yours after all, ask it for a new code." },
    uncollected: {
      title: "The program didn't collect the token in time",
      text: `It had ${collectWithin} to do so. Nothing was handed out. Ask the program for a new code.`,
    },
    revoked: {
      title: "Access revoked",
      text: "The token no longer works. To keep using a program that had it, link that program again.",
    },
  })[state];
