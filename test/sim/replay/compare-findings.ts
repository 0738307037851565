import { isDeepStrictEqual } from 'node:util';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';

/** The findings of a report beside those that the present code makes of the same input. */
export interface Comparison {
  /** Those that are in both, in the present words. */
  readonly same: readonly Finding[];
  /** Of those in both, how many are told in other words or with other figures. */
  readonly reworded: number;
  readonly onlyInReport: readonly Finding[];
  readonly onlyNow: readonly Finding[];
}

/** Compares what findings claim. Words, figures, evidence and times may differ. */
export function compareFindings(inReport: readonly Finding[], now: readonly Finding[]): Comparison {
  const before = new Map(inReport.map((finding) => [claimOf(finding), finding]));
  const after = new Map(now.map((finding) => [claimOf(finding), finding]));
  const same = [...after].filter(([claim]) => before.has(claim));
  return {
    same: same.map(([, finding]) => finding),
    reworded: same.filter(([claim, finding]) => !isDeepStrictEqual(before.get(claim), finding))
      .length,
    onlyInReport: [...before].flatMap(([claim, one]) => (after.has(claim) ? [] : [one])),
    onlyNow: [...after].flatMap(([claim, one]) => (before.has(claim) ? [] : [one])),
  };
}

function claimOf(finding: Finding): string {
  const { kind, severity, node, plane, protocols, direction, zones, pair, local } = finding;
  const subject = { node, zones: sorted(zones), pair, count: finding.count };
  return JSON.stringify({ kind, severity, subject, plane, protocols, direction, local });
}

function sorted(names: readonly string[] | undefined): readonly string[] | undefined {
  return names && [...names].sort();
}
