/** The median of a path's last round trips. */
export interface MedianRtt {
  readonly rttNs: number;
  /** Of fewer than 20 round trips, which say little of what is usual. */
  readonly isOfFew: boolean;
}
