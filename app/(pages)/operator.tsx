/** Names whom to ask, with a link if the operator has set one: an e-mail address or a page. */
export function Operator({ contact }: { contact?: string }) {
  if (contact === undefined) return "the operator of this service";
  return <a href={/^https?:/.test(contact) ? contact : `mailto:${contact}`}>the operator of this service</a>;
}
