import type { Activity } from "@/lib/account/activity";
import { EventList } from "./event-list";
import { networkName } from "./link/whereabouts";

/** An event with the browser of a sign-in in words. */
export type ShownActivity = Activity & { browser: string };

/** What happened to an account, one sentence each. */
export function ActivityList({ events }: { events: ShownActivity[] }) {
  return (
    <EventList events={events}>
      {(event) => (
        <>
          {sentence(event)}
          {event.by && BY[event.by]}
        </>
      )}
    </EventList>
  );
}

const BY = { operator: " by the operator", administrator: " by an administrator" };

const RECOVERED_WITH: Record<string, string> = { code: "recovery code", email: "link sent by e-mail" };

function sentence({
  action,
  browser,
  detail: { name = "", network = "", program, role, set = "password", through, which },
}: ShownActivity): string {
  switch (action) {
    case "user.create":
      return "Account created";
    case "user.signin":
      return `Signed in with ${browser || "an unknown browser"}, from ${networkName(network)}`;
    case "user.confirm":
      return `Confirmed it was you, with ${through === "passkey" ? "a passkey" : "your password"}`;
    case "user.signout":
      return which === "one" ? "Signed out of a browser" : "Signed out of all browsers";
    case "user.password":
      return "New password set";
    case "user.role":
      return `Role changed to ${role}`;
    case "user.disable":
      return "Account disabled";
    case "user.enable":
      return "Account enabled";
    case "user.quota":
      return "Limits changed";
    case "token.rotate":
      return "Your account's token rotated";
    case "token.reveal":
      return "Your account's token shown";
    case "token.create":
      return `Token created: ${name}`;
    case "token.use":
      return `Token ${name} first used from ${networkName(network)}`;
    case "token.revoke":
      return `Token removed: ${name}`;
    case "passkey.add":
      return `Passkey added: ${name}`;
    case "passkey.remove":
      return `Passkey removed: ${name}`;
    case "passkey.refuse":
      return `Passkey refused, because somebody may have copied it: ${name}`;
    case "provider.connect":
      return `${name} connected: it can sign you in`;
    case "provider.disconnect":
      return `${name} disconnected: it no longer signs you in`;
    case "recovery.codes":
      return "Recovery codes created";
    case "recovery.link":
      return "Link to set a new password created";
    case "recovery.email":
      return `Link to set a new password asked for by e-mail, from ${networkName(network)}`;
    case "email.add":
      return "E-mail address entered";
    case "email.verify":
      return "E-mail address verified";
    case "email.remove":
      return "E-mail address removed";
    case "recovery.use":
      return `New ${set} set with a ${RECOVERED_WITH[through ?? ""] ?? "link"}, from ${networkName(network)}`;
    case "invitation.use":
      return "Invitation accepted";
    case "files.import":
      return "Files replaced with a document";
    case "link.approve":
      return `Program linked: ${program || "without a name"}`;
    case "link.deny":
      return `Program denied: ${program || "without a name"}`;
    default:
      return action;
  }
}
