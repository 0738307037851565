/**
 * How an agent that no peer's GETs reach any more lets itself be heard, as its row tells before. Who hears nothing of it
 * for all that knows the sooner that it is dead, as the refutation of a suspicion in SWIM and memberlist. Times are milliseconds.
 */
export interface RowRefutation {
  /** So long no GET came, or those of one peer alone. */
  readonly afterMs: number;
  /** For so long it sends more GETs, to all peers by turns. */
  readonly forMs: number;
  readonly perSecond: number;
}

/** A GET may be late for this long. */
const leastSilenceMs = 1500;
/** In a cluster that is well one GET or none comes in so many mean gaps in 7 of 1,000 cases. */
const gaps = 7;
const forMs = 4000;
/** Who listens for them hears the sooner that a node lives, or that it does not. Each costs processor time where the node runs. */
const mostPerSecond = 500;
/** So many times the steady GETs to node IPs. On demand an agent may send 32 times as many (`probing/schedule/plan.ts`). */
const mostOfSteady = 25;
/** Of fewer peers one may be dead and the others restarted. */
const leastPeers = 3;

/**
 * How an agent refutes. Undefined where it has too few peers to tell anything from their silence.
 * @param httpIntervalMs each peer sends it a GET once in this time
 */
export function refutationOf(httpIntervalMs: number, peers: number): RowRefutation | undefined {
  if (peers < leastPeers) return undefined;
  return {
    afterMs: Math.round(Math.max(leastSilenceMs, (gaps * httpIntervalMs) / peers)),
    forMs,
    perSecond: Math.min(
      peers,
      mostPerSecond,
      Math.ceil((mostOfSteady * 1000 * peers) / httpIntervalMs),
    ),
  };
}
