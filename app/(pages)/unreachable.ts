import { SIGNED_OUT } from "@/lib/errors";

/** The sentence of a page whose request got no response. */
export const UNREACHABLE = "The service could not be reached. Check your connection, then try again.";

/** The sentence for an action that threw: the gate lets nobody send much who is signed out. */
export const sentenceOf = (thrown: unknown) =>
  thrown instanceof Error && thrown.message === SIGNED_OUT ? SIGNED_OUT : UNREACHABLE;
