import type { Check } from '../../../api/schema/v1/check.js';
import type { Condition } from '../../wait-conditions.js';

/** A check as the conditions of a JUnit report. */
export function checkConditions(check: Check): Condition[] {
  const { nodes, notProbed, findings, targets, verdict, reason } = check;
  const conditions: Condition[] = [
    {
      name: 'every node takes part',
      problems: nodes.leftOut.map(({ node, why }) => `${node}: ${why}`),
    },
    { name: 'everything was probed', problems: notProbed },
    {
      name: 'nothing is found between the nodes',
      problems: findings
        .filter(({ target }) => target === undefined)
        .map(({ kind, text }) => `${kind}: ${text}`),
    },
    ...targets.map(({ name }) => ({
      name: `${name} is reached from every node`,
      problems: findings
        .filter((finding) => finding.target === name || finding.targets?.includes(name) === true)
        .map(({ kind, text }) => `${kind}: ${text}`),
    })),
  ];
  const isSaid = conditions.some(({ problems }) => problems.length > 0);
  const problems = verdict === 'ok' || isSaid ? [] : [reason ?? verdict];
  return [...conditions, { name: 'the verdict is ok', problems }];
}
