"use client";

import { type ReactNode, useActionState } from "react";
import { Button } from "@/components/button";
import { Notice } from "@/components/notice";
import { whyFailed } from "@/components/why-failed";
import { enterAnother } from "./actions";

/** Discards the current code and asks for another. */
export function EnterAnother({ children }: { children: ReactNode }) {
  const [error, submit, busy] = useActionState(() => enterAnother().then(() => "", whyFailed), "");
  return (
    <form action={submit}>
      <Button type="submit" variant="default" size="sm" loading={busy}>
        {children}
      </Button>
      <Notice kind="error">{error}</Notice>
    </form>
  );
}
