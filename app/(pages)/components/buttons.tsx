"use client";

import { IconTrash } from "@tabler/icons-react";
import { Button } from "@/components/button";
import { CopyButton } from "@/components/copy-button";
import { Actions } from "@/components/panel";

/** Each kind of button as it is, at work, and disabled. */
export function Buttons() {
  return (
    <>
      <Actions>
        <Button>Create key</Button>
        <Button loading>Create key</Button>
        <Button disabled>Create key</Button>
      </Actions>
      <Actions>
        <Button variant="default">Cancel</Button>
        <Button variant="default" loading>
          Cancel
        </Button>
        <Button variant="default" disabled>
          Cancel
        </Button>
      </Actions>
      <Actions>
        <Button color="red">Delete key</Button>
        <Button color="red" variant="outline" leftSection={<IconTrash size={16} />}>
          Delete key
        </Button>
        <Button color="red" loading>
          Delete key
        </Button>
      </Actions>
      <Actions>
        <CopyButton text="copied" isMain />
        <CopyButton text="copied" />
        <Button size="sm" variant="subtle">
          Show more
        </Button>
      </Actions>
    </>
  );
}
