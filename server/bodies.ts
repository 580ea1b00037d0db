import { rateLimited, unavailable } from "@/lib/platform/errors";
import { BODIES } from "./gate-limits";

interface Body {
  network: string;
  bytes: number;
  /** Ends the request. */
  cut: () => void;
}

/** The running bodies of one network. The first in the Set is the oldest. */
interface Holder {
  bodies: Set<Body>;
  bytes: number;
}

/**
 * Counts the bodies that are arriving, per network and in all. If there is no space, a body of a network that holds
 * less displaces the oldest body of the network that holds the most. So a client that sends many and finishes none
 * stops only itself.
 */
export class Bodies {
  private readonly holders = new Map<string, Holder>();
  private count = 0;
  private bytes = 0;

  constructor(private readonly limits = BODIES) {}

  /**
   * Reserves a slot for a body of this many bytes, and returns a function that frees it; calling that twice is
   * harmless. `isOwn`: the network belongs to one sender or household, not to everybody. `cut` is called if the slot is
   * needed for another. Throws 429 `rate_limited` if the network has its share, 503 `unavailable` if there is no space.
   */
  enter(network: string, bytes: number, { isOwn, cut }: { isOwn: boolean; cut: () => void }): () => void {
    const { ofNetwork } = this.limits;
    const held = this.holders.get(network);
    if (isOwn && ((held?.bodies.size ?? 0) >= ofNetwork.count || (held?.bytes ?? 0) + bytes > ofNetwork.bytes))
      throw rateLimited(2, "Too much is being sent from this network at once. Try again in a moment.");
    while (!this.hasSpace(bytes)) this.freeSpace(network, bytes);

    const body: Body = { network, bytes, cut };
    const holder = held ?? { bodies: new Set(), bytes: 0 };
    this.holders.set(network, holder);
    holder.bodies.add(body);
    holder.bytes += bytes;
    this.count++;
    this.bytes += bytes;
    return () => this.leave(body);
  }

  private hasSpace(bytes: number): boolean {
    return this.count < this.limits.ofAll.count && this.bytes + bytes <= this.limits.ofAll.bytes;
  }

  private freeSpace(network: string, bytes: number): void {
    const isFullByCount = this.count >= this.limits.ofAll.count;
    const weight = ({ bodies, bytes }: Holder) => (isFullByCount ? bodies.size : bytes);
    const [heaviest] = [...this.holders.values()].sort((a, b) => weight(b) - weight(a));
    const own = this.holders.get(network);
    const [oldest] = heaviest?.bodies ?? [];
    if (!heaviest || !oldest || weight(heaviest) <= (own ? weight(own) : 0) + (isFullByCount ? 1 : bytes))
      throw noSpace();
    this.leave(oldest);
    oldest.cut();
  }

  private leave(body: Body): void {
    const holder = this.holders.get(body.network);
    if (!holder?.bodies.delete(body)) return;
    holder.bytes -= body.bytes;
    this.count--;
    this.bytes -= body.bytes;
    if (holder.bodies.size === 0) this.holders.delete(body.network);
  }
}

export const noSpace = () => unavailable("Too much is being sent to this service at once. Try again in a moment.");
