import { isReservedName } from "@/lib/accounts/identity/reserved-names";

/** Names whom to ask, with a link if the operator has set one: an e-mail address or a page. */
export function Operator({ contact }: { contact?: string }) {
  if (contact === undefined) return <span>the operator of this service</span>;
  return <a href={/^https?:/.test(contact) ? contact : `mailto:${contact}`}>the operator of this service</a>;
}

/** A username. */
export function Person({ name }: { name: string }) {
  return (
    <>
      <span translate="no">{name}</span>
      <OfAUser name={name} />
    </>
  );
}

/** Stands after a username that could pass for the service: a user has it (contract, section 1: username). */
export function OfAUser({ name }: { name: string }) {
  return isReservedName(name) ? <small> (a user's name)</small> : null;
}
