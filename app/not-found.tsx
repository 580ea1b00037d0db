import { Button } from "@mantine/core";
import { MessagePage } from "@/components/message-page";
import { Actions } from "@/components/panel";
import { Shell } from "@/components/shell";

export const metadata = { title: "Nothing here" };

export default function NotFound() {
  return (
    <Shell>
      <MessagePage title="There is no door here" text="Nothing is at this address. Perhaps it was mistyped, or what was here is gone.">
        <Actions>
          <Button component="a" href="/">
            To the start page
          </Button>
        </Actions>
      </MessagePage>
    </Shell>
  );
}
