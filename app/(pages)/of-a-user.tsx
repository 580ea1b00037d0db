import { isReservedName } from "@/lib/accounts/reserved-names";

/** Stands after a username that could pass for the service: a user has it (contract, section 1: username). */
export function OfAUser({ name }: { name: string }) {
  return isReservedName(name) ? <small> (a user’s name)</small> : null;
}
