import assert from "node:assert/strict";

/** Deals from a shuffled pack in which each is as often as it weighs: none is left out for long. */
export function dealer<Card extends { weight: number }>(cards: readonly Card[]): () => Card {
  const pack: Card[] = [];
  const shuffled = () =>
    cards
      .flatMap((card) => Array.from({ length: card.weight }, () => ({ card, at: Math.random() })))
      .sort((a, b) => a.at - b.at)
      .map(({ card }) => card);
  return () => {
    if (pack.length === 0) pack.push(...shuffled());
    return pack.pop() ?? assert.fail("there is nothing to deal");
  };
}
