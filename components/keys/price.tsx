/** A price as a person reads it. A negative one says that the key is not for sale. */
export function Price({ price }: { price: string }) {
  return <>{price.startsWith("-") ? "Not for sale" : price}</>;
}
