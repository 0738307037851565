import { observe } from '../../../../agent/diagnosis/evidence/observations.js';
import { Tally } from '../../../../agent/diagnosis/evidence/tally.js';
import { finished } from '../../../../agent/diagnosis/nouns/steps.js';
import { explainTrouble } from '../../../../agent/diagnosis/search/explain-trouble.js';
import { clusterOf, type ClusterOptions } from './cluster.js';

/** What the first node's agent makes of the failing paths of such a cluster: the causes, and what they are counted from. */
export function explainedIn(count: number, options: ClusterOptions) {
  const input = clusterOf(count, options);
  const { index } = input;
  const observations = finished(observe(input));
  const tally = finished(Tally.count(index, observations, 'broken'));
  const facts = { input, index, observations, localNode: 0 };
  const otherwise = { strayShare: 0.01, oneFlow: new Set<number>() };
  return { facts, tally, explained: finished(explainTrouble(tally, facts, otherwise)) };
}
