/** When a GET went out and the first byte of its answer came in, in monotonic milliseconds of this host. */
export interface ExchangeTimes {
  readonly sentMs: number;
  readonly receivedMs: number;
}

/** What a peer says of a request that it answers. */
export interface PeerStamps {
  /** When it came in, in epoch milliseconds by the clock of the peer. */
  readonly receivedMs: number;
  /** So much later the answer went out. */
  readonly heldMs: number;
}
