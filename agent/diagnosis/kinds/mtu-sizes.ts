import { mostCommon } from '../nouns/most-common.js';
import { takenByTunnel } from '../../../api/schema/v1/tunnel-overheads.js';
import { tunnelKinds, type RowLargeLimit, type RowLargeLoss } from '../../model/row-large.js';
import { withCommas } from '../../model/whole-number.js';

/** Small GETs passed, so a smaller limit than this is none: the packets of a GET have some hundred bytes. */
const leastBelievedBytes = 576;
/** So large a share of the witnesses must say the same for it to be said without the others. */
const agreedShare = 0.75;

/**
 * What was measured of the size, by those who see the trouble: the largest packet that passes, as nearly all who found one say, and in
 * words which packets are lost (`packets above 1,410 bytes`), how (`vanish, and no router says so`) and what the interfaces say. What
 * they do not agree on is left out. Who found no limit says nothing of it.
 */
export function sizesOf(losses: readonly RowLargeLoss[]) {
  const limits = losses.flatMap(({ limit }) =>
    limit && limit.bytes >= leastBelievedBytes ? [limit] : [],
  );
  if (limits.length === 0)
    return { size: undefined, which: 'large packets', how: 'are lost', interfaces: '' };
  const agreed = (of: (limit: RowLargeLimit) => number | undefined) =>
    mostCommon(limits.map(of), agreedShare * limits.length);
  const [size, interfaceBytes] = [agreed((one) => one.bytes), agreed((one) => one.interfaceBytes)];
  const isKnown = size !== undefined && interfaceBytes !== undefined;
  return {
    size,
    which: `packets above ${size === undefined ? rangeOf(limits) : withCommas(size)} bytes`,
    how: howOf(limits),
    interfaces:
      interfaceBytes === undefined
        ? ''
        : `. The interfaces say ${withCommas(interfaceBytes)}${isKnown ? tunnelWords(size, interfaceBytes, limits) : ''}`,
  };
}

/** What the difference is, where a tunnel usually takes just that. It says what fits, and which devices there are. */
function tunnelWords(
  size: number,
  interfaceBytes: number,
  limits: readonly RowLargeLimit[],
): string {
  const devices = tunnelKinds.filter((kind) =>
    limits.every(({ tunnels = [] }) => tunnels.includes(kind)),
  );
  const taken = takenByTunnel(size, interfaceBytes, devices);
  if (!taken) return '';
  const more = `, exactly ${withCommas(interfaceBytes - size)} more: as much as ${taken.words} takes`;
  const has = ', and those who tested have such a device: its overhead may be missing in an MTU';
  return taken.hasDevice ? `${more}${has}` : more;
}

function rangeOf(limits: readonly RowLargeLimit[]): string {
  const all = limits.map(({ bytes }) => bytes);
  return `${withCommas(Math.min(...all))} to ${withCommas(Math.max(...all))}`;
}

function howOf(limits: readonly RowLargeLimit[]): string {
  const routers = [...new Set(limits.flatMap(({ saidBy }) => saidBy ?? []))].sort();
  const [first] = routers;
  if (first === undefined) return 'vanish, and no router says so';
  return routers.length === 1
    ? `are lost, though the router ${first} names that limit`
    : `are lost, though ${routers.length} routers name that limit, such as ${first}`;
}
