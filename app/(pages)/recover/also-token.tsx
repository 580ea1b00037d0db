"use client";

import { Checkbox } from "@mantine/core";
import { useState } from "react";

/** Lets the user replace the account's token together with the password, and says what that stops. */
export function AlsoToken() {
  const [checked, setChecked] = useState(false);
  return (
    <>
      <Checkbox
        size="md"
        name="alsoToken"
        label="Also rotate my token"
        description="Do this if someone else may have it. A new password alone doesn't stop programs."
        checked={checked}
        onChange={(event) => setChecked(event.currentTarget.checked)}
      />
      {checked && (
        <p>
          Your current token stops working, and programs that have it lose access until you link them again. Programs
          with tokens of their own keep working.
        </p>
      )}
    </>
  );
}
