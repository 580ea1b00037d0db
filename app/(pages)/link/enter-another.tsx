"use client";

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useFormStatus } from "react-dom";
import { enterAnother } from "./actions";

/** Puts the present code aside and asks for another. */
export function EnterAnother({ children }: { children: ReactNode }) {
  return (
    <form action={() => enterAnother()}>
      <AsideButton>{children}</AsideButton>
    </form>
  );
}

function AsideButton({ children }: { children: ReactNode }) {
  const { pending } = useFormStatus();
  return (
    <Button type="submit" variant="default" size="sm" loading={pending}>
      {children}
    </Button>
  );
}
