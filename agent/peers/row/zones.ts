import { channels, channelNumber, perChannel, type PerChannel } from '../../model/channel.js';
import type { Plane } from '../../model/path.js';
import { maxRowZones, type RowZone } from '../../model/row.js';
import type { Protocol } from '../../model/sample.js';
import { RttCounts } from '../rtt-counts.js';
import { isNearRtt } from './near-rtt.js';
import { maxNewerItems, maxNewerNumber, maxRttNs, type ValueReader } from './value-reader.js';

const maxCount = 1_000_000;
const zonePattern = /^[A-Za-z0-9_./-]{0,127}$/;

/** Counts the RTTs of paths by the zone of their node. */
export class ZonesBuilder {
  readonly #zones = new Map<string, PerChannel<RttCounts>>();

  add(zone: string, plane: Plane, protocol: Protocol, rttNs: number): void {
    const known = this.#zones.get(zone);
    const rtts = known ?? perChannel(() => new RttCounts());
    if (!known) this.#zones.set(zone, rtts);
    rtts[plane][protocol].add(rttNs);
  }

  zones(): RowZone[] {
    return [...this.#zones].flatMap(([zone, rtts]) =>
      channels.flatMap(({ plane, protocol }): RowZone[] => {
        const counted = rtts[plane][protocol];
        if (counted.count === 0) return [];
        const [p50Ns, p99Ns] = [counted.quantileNs(0.5), counted.quantileNs(0.99)];
        return [{ zone, plane, protocol, paths: counted.count, p50Ns, p99Ns }];
      }),
    );
  }
}

/** One list for each zone: its name, and for each channel its number, the number of paths, p50 and p99. */
export function encodeZones(zones: readonly RowZone[]): unknown[] {
  const byZone = new Map<string, unknown[]>();
  for (const { zone, plane, protocol, paths, p50Ns, p99Ns } of zones) {
    const group = byZone.get(zone) ?? [zone];
    group.push([channelNumber(plane, protocol), paths, p50Ns, p99Ns]);
    byZone.set(zone, group);
  }
  return [...byZone.values()];
}

/** @throws MalformedRow */
export function decodeZones(read: ValueReader): RowZone[] {
  const zones: RowZone[] = [];
  const names: string[] = [];
  for (let left = read.list(0, maxRowZones); left > 0; left--) {
    const items = read.list(1, 1 + maxNewerItems);
    const zone = read.text(zonePattern);
    names.push(zone);
    const used: number[] = [];
    for (let entries = items - 1; entries > 0; entries--) {
      const numbers = read.list(4, maxNewerItems);
      const index = read.whole(maxNewerNumber);
      used.push(index);
      const paths = read.whole(maxCount);
      const p50Ns = read.whole(maxRttNs);
      const p99Ns = read.whole(maxRttNs);
      if (p50Ns > p99Ns) read.refuse('p50 above p99');
      read.newer(numbers - 4);
      const channel = channels[index];
      if (channel) zones.push({ zone, ...channel, paths, p50Ns, p99Ns });
    }
    read.mustBeUnique(used);
  }
  read.mustBeUnique(names);
  return zones;
}

/** Whether they tell a reader the same: small moves of RTTs are no change. */
export function areSameZones(before: readonly RowZone[], after: readonly RowZone[]): boolean {
  return (
    before.length === after.length &&
    before.every((zone, index) => {
      const other = after[index];
      return other !== undefined && keyOf(zone) === keyOf(other) && isNearRtt(zone, other);
    })
  );
}

function keyOf({ zone, plane, protocol, paths }: RowZone): string {
  return JSON.stringify([zone, plane, protocol, paths]);
}
