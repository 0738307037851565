import type { Finding } from '../../../agent/diagnosis/finding.js';
import type { Fault } from './faults/fault.js';
import type { Scenario } from './scenarios/scenario.js';

/** The channels that both ends of a pair report if all of it is cut, or its tunnel. */
const masksOfPairs: readonly number[] = [0b1111, 0b1100];

/**
 * The reason, where chance alone has made what is found: both ends of a pair reported each other
 * wrongly, on the channels of a pair that was cut just now. One wrong report is no such excuse.
 */
export function chanceReason(
  { wrongReports, layout }: Pick<Scenario, 'wrongReports' | 'layout'>,
  missed: readonly Fault[],
  extra: readonly Finding[],
): string | undefined {
  const isChance = extra.every(({ kind, pair }) => {
    if (kind !== 'pair' || !pair) return false;
    const [a, b] = pair.map((name) => layout.names.indexOf(name));
    const mask = wrongReports.get(`${a},${b}`) ?? 0;
    return masksOfPairs.includes(mask) && wrongReports.get(`${b},${a}`) === mask;
  });
  return isChance && missed.length === 0
    ? 'two wrong reports about one pair look like a pair that was just cut'
    : undefined;
}
