import { Button } from "@mantine/core";
import { headers } from "next/headers";
import form from "@/components/form.module.css";
import { MessagePage } from "@/components/message-page";
import { Actions } from "@/components/panel";
import { Shell } from "@/components/shell";

export const metadata = { title: "Nothing here" };

export default async function NotFound() {
  const id = (await headers()).get("x-request-id");
  return (
    <Shell>
      <MessagePage title="There is no door here" text="Nothing is at this address. Perhaps it was mistyped, or what was here is gone.">
        <Actions>
          <Button component="a" href="/">
            To the start page
          </Button>
        </Actions>
        {id && (
          <p className={form.lead}>
            If something of ours led you here, tell whoever runs this service the reference <code>{id}</code>.
          </p>
        )}
      </MessagePage>
    </Shell>
  );
}
