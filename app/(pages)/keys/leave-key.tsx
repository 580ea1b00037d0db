"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Actions } from "@/components/panel";
import { LeaveDialog } from "./leave-dialog";

/** Leaves one key of somebody else, and goes to the remaining ones. */
export function LeaveKey({
  held,
  username,
  origin,
}: {
  held: { id: string; name: string; creator: string };
  username: string;
  origin: string;
}) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Actions>
        <Button size="sm" variant="default" onClick={() => setAsking(true)}>
          Leave
        </Button>
      </Actions>
      <LeaveDialog
        keys={[held]}
        username={username}
        origin={origin}
        opened={asking}
        onClose={() => setAsking(false)}
        onLeft={() => window.location.assign("/keys?list=given")}
      />
    </>
  );
}
