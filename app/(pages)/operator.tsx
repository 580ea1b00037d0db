/** Names whom to ask, with a link if the operator has set one: an e-mail address or a page. */
export function Operator({ contact }: { contact?: string }) {
  if (contact === undefined) return <span>the operator of this service</span>;
  return <a href={/^https?:/.test(contact) ? contact : `mailto:${contact}`}>the operator of this service</a>;
}
