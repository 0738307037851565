/** RTTs count as changed when they moved by this factor. */
const rttFactor = 1.5;

interface Rtts {
  readonly p50Ns?: number;
  readonly p99Ns?: number;
}

/** Whether the RTTs that a row tells are about the same. */
export function isNearRtt(before: Rtts, after: Rtts): boolean {
  const isNear = (a = 0, b = 0) => a <= b * rttFactor && b <= a * rttFactor;
  return isNear(before.p50Ns, after.p50Ns) && isNear(before.p99Ns, after.p99Ns);
}
