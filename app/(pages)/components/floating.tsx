"use client";

import { useState } from "react";
import { Button } from "@/components/button";
import { Dialog } from "@/components/dialog";
import { Actions } from "@/components/panel";
import { useToast } from "@/components/toast";

/** What opens above the page. */
export function Floating() {
  const [opened, setOpened] = useState(false);
  const toast = useToast();
  return (
    <>
      <Actions>
        <Button variant="default" onClick={() => setOpened(true)}>
          Open dialog
        </Button>
        <Button variant="default" onClick={() => toast({ text: "Password changed." })}>
          Show toast
        </Button>
        <Button
          variant="default"
          onClick={() =>
            toast({ text: "engine notes.txt moved to Letters.", undo: () => toast({ text: "Moved back." }) })
          }
        >
          Show toast with Undo
        </Button>
      </Actions>
      <Dialog opened={opened} onClose={() => setOpened(false)} title="Delete this key?">
        <p>Three holders lose access. This can't be undone.</p>
        <Actions>
          <Button color="red" onClick={() => setOpened(false)}>
            Delete key
          </Button>
          <Button variant="default" onClick={() => setOpened(false)}>
            Cancel
          </Button>
        </Actions>
      </Dialog>
    </>
  );
}
