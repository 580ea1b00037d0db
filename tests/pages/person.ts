import { type Member, newSignedIn, openReady } from "./visitor";

export type Person = Member;

/** Somebody with an account who looks at the list of keys. */
export async function newPerson(): Promise<Member> {
  const person = await newSignedIn();
  await openReady(person.page, "/keys");
  return person;
}
