import type { Times } from '../ping-output.js';
import { addressNumber } from './frame.js';
import type { Exchange } from './exchanges.js';
import type { Paired } from './pairing.js';

/**
 * Joins the times that a tool printed with the captured exchanges, in order and for each address.
 * It leaves out an address if packets were lost and the counts differ.
 */
export function pairInOrder(times: Times, exchanges: readonly Exchange[]): Paired[] {
  const captured = new Map<number, number[]>();
  for (const { address, rttNs } of exchanges) {
    const known = captured.get(address);
    if (known) known.push(rttNs);
    else captured.set(address, [rttNs]);
  }
  return [...times].flatMap(([ip, reported]) => {
    const device = captured.get(addressNumber(ip)) ?? [];
    if (device.length !== reported.length) return [];
    return reported.map((reportedNs, index) => ({ reportedNs, deviceNs: device[index] ?? NaN }));
  });
}
