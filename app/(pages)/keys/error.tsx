"use client";

import { FailedPart } from "../../error";

/** Shown for the list or a key that could not be loaded, so that it never looks empty. */
export default function KeysError(failure: { error: unknown; retry: () => void }) {
  return (
    <FailedPart
      title="Your keys couldn't be loaded"
      text="They're safe and keep their holders; the service just didn't respond. Try again in a moment."
      {...failure}
    />
  );
}
