import type { Finding } from '../nouns/finding.js';

/** The age of a path differs by that much from run to run: rows round it, and clocks are read at different moments. */
const jitterMs = 2000;

/**
 * An open finding with the times that it was told with first. Its `since` is that of its opening. A path of its evidence keeps
 * its time too, unless it began to fail anew.
 * @param former the same finding, as the last run told it
 */
export function withFixedTimes(finding: Finding, former: Finding): Finding {
  const paths = new Map(former.evidence.map((one) => [pathKey(one), one.since]));
  const looks = new Map((former.looks ?? []).map((one) => [lookKey(one), one.since]));
  return {
    ...finding,
    since: former.since,
    evidence: finding.evidence.map((one) => withTime(one, paths.get(pathKey(one)))),
    ...(finding.looks && {
      looks: finding.looks.map((one) => withTime(one, looks.get(lookKey(one)))),
    }),
  };
}

function withTime<T extends { readonly since: string }>(now: T, before: string | undefined): T {
  if (before === undefined) return now;
  const apartMs = Math.abs(Date.parse(now.since) - Date.parse(before));
  return apartMs > jitterMs ? now : { ...now, since: before };
}

function pathKey({ from, to, plane, protocol, failure }: Finding['evidence'][number]): string {
  return [from, to, plane, protocol, failure].join(' ');
}

function lookKey({ from, target, plane, failure }: NonNullable<Finding['looks']>[number]): string {
  return [from, target, plane, failure].join(' ');
}
