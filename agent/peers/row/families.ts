import { addressFamilies, familyOf } from '../../model/address.js';
import { channelNumber, channels } from '../../model/channel.js';
import type { PathState } from '../../model/path-state.js';
import type { Path } from '../../model/path.js';
import type { RowFamily } from '../../model/row.js';
import type { Protocol } from '../../model/sample.js';
import { maxNewerItems, maxNewerNumber, type ValueReader } from './value-reader.js';

const maxCount = 1_000_000;
/** Each family on each channel. */
const maxFamilies = 2 * channels.length;

type Counts = { -readonly [K in keyof RowFamily]: RowFamily[K] };

/** Counts the paths to secondary addresses of another family, by their state. */
export class FamiliesBuilder {
  readonly #counts = new Map<string, Counts>();

  /** @param primaryIp the primary address of the same node and plane */
  add(
    { plane, ip }: Pick<Path, 'plane' | 'ip'>,
    primaryIp: string,
    protocol: Protocol,
    { state }: Pick<PathState, 'state'>,
  ): void {
    const family = familyOf(ip);
    if (family === familyOf(primaryIp)) return;
    const key = `${family} ${plane} ${protocol}`;
    const known = this.#counts.get(key);
    const none = { reachable: 0, unreachable: 0, unknown: 0 };
    const counts = known ?? { family, plane, protocol, ...none };
    if (!known) this.#counts.set(key, counts);
    counts[state]++;
  }

  families(): readonly RowFamily[] {
    return [...this.#counts.values()];
  }
}

/** One list for each family and channel: the family's and the channel's number, and three counts. */
export function encodeFamilies(families: readonly RowFamily[]): number[][] {
  return families.map(({ family, plane, protocol, reachable, unreachable, unknown }) => [
    addressFamilies.indexOf(family),
    channelNumber(plane, protocol),
    ...[reachable, unreachable, unknown],
  ]);
}

/** @throws MalformedRow */
export function decodeFamilies(read: ValueReader): RowFamily[] {
  const families: RowFamily[] = [];
  const used: string[] = [];
  for (let left = read.list(0, maxFamilies + maxNewerItems); left > 0; left--) {
    const numbers = read.list(5, maxNewerItems);
    const [family, index] = [read.whole(maxNewerNumber), read.whole(maxNewerNumber)];
    used.push(`${family} ${index}`);
    const [reachable, unreachable] = [read.whole(maxCount), read.whole(maxCount)];
    const unknown = read.whole(maxCount);
    read.newer(numbers - 5, maxCount);
    const [name, channel] = [addressFamilies[family], channels[index]];
    if (name && channel)
      families.push({ family: name, ...channel, reachable, unreachable, unknown });
  }
  read.mustBeUnique(used);
  return families;
}

export function areSameFamilies(
  before: readonly RowFamily[] = [],
  after: readonly RowFamily[] = [],
): boolean {
  return JSON.stringify(encodeFamilies(before)) === JSON.stringify(encodeFamilies(after));
}
