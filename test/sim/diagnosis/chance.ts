import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import type { Fault } from '../../faults/fault.js';
import { chanceOfWrongReport } from './row-noise.js';
import type { Scenario } from './scenarios/scenario.js';

/** The channels that both ends of a pair report if all of it is cut, or its tunnel. */
const masksOfPairs: readonly number[] = [0b1111, 0b1100];

/** So many wrong reports of a kind and age are to be expected in a cluster where nobody tells them apart. */
const leastExpected = 0.05;

type Told = Pick<Scenario, 'wrongReports' | 'layout' | 'reportsOf'>;

/**
 * The reason, where chance makes what is found or not found look like the truth: both ends of a pair
 * reported each other wrongly, on the channels of a pair that was cut just now; or a single row tells of
 * a fault, on such channels and for so short that wrong reports like it are to be expected.
 */
export function chanceReason(
  scenario: Told,
  missed: readonly Fault[],
  extra: readonly Finding[],
): string | undefined {
  if (extra.length > 0 && missed.length === 0 && extra.every(isTwiceReported(scenario))) {
    return 'two wrong reports about one pair look like a pair that was just cut';
  }
  if (missed.length > 0 && extra.length === 0 && missed.every(isLikeWrongReport(scenario))) {
    return 'one report about a pair that was just cut looks like a wrong one';
  }
  return undefined;
}

function isTwiceReported({ wrongReports, layout }: Told): (finding: Finding) => boolean {
  return ({ kind, pair }) => {
    if (kind !== 'pair' || !pair) return false;
    const [a, b] = pair.map((name) => layout.names.indexOf(name));
    const mask = wrongReports.get(`${a},${b}`) ?? 0;
    return masksOfPairs.includes(mask) && wrongReports.get(`${b},${a}`) === mask;
  };
}

function isLikeWrongReport({ layout, reportsOf }: Told): (fault: Fault) => boolean {
  const { length } = layout.names;
  return (fault) => {
    const [report, ...more] = reportsOf(fault);
    if (!report || more.length > 0) return false;
    const expected =
      length * (length - 1) * chanceOfWrongReport(report.mask, report.ageS, report.hidden);
    return expected >= leastExpected;
  };
}
