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
