import { randomBytes } from "node:crypto";
import { newId } from "@/lib/platform/ids";
import { newNetwork } from "@/tests/support/request";
import { Client, type Record } from "./client";
import type { Operator } from "./operator";

/** A whole number from 0 up to and without `below`. */
export const random = (below: number): number => Math.floor(Math.random() * below);

/** Any one of them. */
export function anyOf<T>(things: Iterable<T>): T {
  const all = [...things];
  return all[random(all.length)] as T;
}

/** Deals from a shuffled pack in which each is as often as it weighs: none is left out for long. */
export function dealer<Card extends { weight: number }>(cards: readonly Card[]): () => Card {
  const pack: Card[] = [];
  return () => {
    if (pack.length === 0) pack.push(...cards.flatMap((card) => Array<Card>(card.weight).fill(card)));
    const [card] = pack.splice(random(pack.length), 1);
    return card as Card;
  };
}

export interface Person {
  id: string;
  username: string;
  token: string;
  password: string;
  /** The cookies of a browser in which the person is signed in. */
  cookies?: string;
}

/** A key as it must be. */
export interface Key {
  id: string;
  data: string;
  name: string;
  price: number;
  createdAt: string;
}

/**
 * Somebody whom nobody else of the soak touches, and all that they must find when they ask: what an answer says is
 * compared with it. One thing is done at a time, so it is known what is true.
 */
export interface Household {
  client: Client;
  operator: Operator;
  owner: Person;
  keys: Map<string, Key>;
  /** The owner's files as JSON text; null before the first import. */
  document: string | null;
}

/** Something that is done in a household. It throws where an answer is not what it must be. */
export type Act = (home: Household) => Promise<unknown>;

export async function newHousehold(origin: string, record: Record, operator: Operator): Promise<Household> {
  const password = randomBytes(12).toString("base64url");
  const { id, username, token } = await operator.tell("createUser", `s${newId().slice(0, 15)}`, password);
  const client = new Client(origin, record, newNetwork().id);
  return { client, operator, owner: { id, username, token, password }, keys: new Map(), document: null };
}
