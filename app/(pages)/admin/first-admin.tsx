import { CommandLine } from "@/components/command-line";
import { MessagePage } from "@/components/message-page";
import { ADMIN_CALL } from "./same-command";

/** For a signed-in user of a service that nobody administers yet. It says nothing that is not in the documentation. */
export function FirstAdmin({ username }: { username: string }) {
  return (
    <MessagePage
      title="No administrator yet"
      text="The operator makes the first one with a command, where the service runs. Then reload this page."
    >
      <CommandLine command={`${ADMIN_CALL} user:role ${username} admin`} />
    </MessagePage>
  );
}
