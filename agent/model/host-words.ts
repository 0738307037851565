import type { HostSign, RowSign } from './row-host.js';
import { withCommas } from './whole-number.js';

type Words = (about: string, value: string, limit: string) => string;

/** What each sign says, with its figures. */
const signWords: Readonly<Partial<Record<HostSign, Words>>> = {
  'conntrack-full': (_, value, limit) => `conntrack table nearly full (${value} of ${limit})`,
  'conntrack-drops': (_, value) => `conntrack dropped ${value} packets in the last minute`,
  'interface-errors': (about, value) => `interface ${about}: ${value} errors in the last minute`,
  'interface-drops': (about, value) =>
    `interface ${about} dropped ${value} packets in the last minute`,
};

/** A sign in words, as they follow the name of its node. */
export function signText({
  sign,
  value,
  limit,
  about,
  plane,
}: Omit<RowSign, 'ageSeconds'>): string {
  const place = plane === 'endpoint' ? 'pod network: ' : '';
  const [told, most] = [withCommas(value), withCommas(limit)];
  if (sign === 'conntrack-full' && value >= limit)
    return `${place}conntrack table full (${told} of ${most})`;
  return place + (signWords[sign]?.(about, told, most) ?? sign);
}
