"use client";

import { FailedPart } from "../../error";

/** Shown for a folder that could not be loaded, so that it is never mistaken for an empty one. */
export default function FilesError(failure: { error: unknown; retry: () => void }) {
  return (
    <FailedPart
      title="Your files couldn't be loaded"
      text="They're safe; the service just didn't respond. Try again in a moment."
      {...failure}
    />
  );
}
