import { describe, expect, test } from 'vitest';
import { Problems } from '../../../../agent/platform/problems.js';
import { createForeignSourceReporter } from '../../../../agent/start/foreign-sources.js';

function createReporter() {
  const clock = { ms: 0 };
  const problems = new Problems();
  const warnings: unknown[] = [];
  const logger = { warn: (facts: unknown) => void warnings.push(facts) };
  const reporter = createForeignSourceReporter(problems, logger, () => clock.ms);
  return {
    clock,
    problems,
    warnings,
    report: reporter.note,
    forgetOwn: reporter.forgetOwn,
  };
}

describe('a peer whose source address is foreign', () => {
  test('is a problem with both addresses, and logged once', () => {
    const { problems, warnings, report } = createReporter();
    const source = { from: 'c/n2', sourceIp: '10.0.0.9', owner: undefined, hostIps: ['10.0.0.2'] };
    report(source);
    report(source);
    expect(problems.coded()).toEqual([
      {
        code: 'mesh-source',
        severity: 'warning',
        text: 'a GET that says it comes from c/n2 came from 10.0.0.9, which is not among its node IPs 10.0.0.2; its row is refused (--mesh-source here, or that address among its host addresses in the node list)',
      },
    ]);
    expect(warnings).toEqual([{ from: 'c/n2', sourceIp: '10.0.0.9' }]);
  });

  test('is named with who has that address, and not with all of many addresses', () => {
    const { problems, report } = createReporter();
    const hostIps = [1, 2, 3, 4, 5, 6].map((index) => `10.0.1.${index}`);
    report({ from: 'c/n2', sourceIp: '10.0.0.3', owner: 'c/n3', hostIps });
    report({ from: 'c/n4.example', sourceIp: '10.0.0.4', owner: 'c/n4', hostIps: undefined });
    expect(problems.list()).toEqual([
      'a GET that says it comes from c/n2 came from 10.0.0.3, which is not among its node IPs 10.0.1.1, 10.0.1.2, 10.0.1.3, 10.0.1.4 and 2 more but one of c/n3; its row is refused (--mesh-source here, or that address among its host addresses in the node list)',
      'a GET that says it comes from c/n4.example came from 10.0.0.4, a node IP of c/n4; c/n4.example is not in the node list (its --node-name)',
    ]);
  });

  test('is no problem any more once the node list has the address, and one again if it is lost', () => {
    const { problems, warnings, report, forgetOwn } = createReporter();
    const source = { from: 'c/n2', sourceIp: '10.0.0.9', owner: undefined, hostIps: ['10.0.0.2'] };
    report(source);
    report({ ...source, from: 'c/n3', sourceIp: '10.0.0.2', owner: 'c/n2' });
    const nodes = new Map([
      ['10.0.0.9', 'c/n2'],
      ['10.0.0.2', 'c/n4'],
    ]);
    forgetOwn((hostIp) => nodes.get(hostIp));
    expect(problems.list()).toEqual([expect.stringContaining('comes from c/n3 ')]);
    report(source);
    expect(problems.list()).toHaveLength(2);
    expect(warnings).toHaveLength(3);
  });

  test('is one of four at the most, until one of them is past', () => {
    const { clock, problems, report } = createReporter();
    const refuse = (index: number) =>
      report({ from: `c/n${index}`, sourceIp: '10.0.0.9', owner: undefined, hostIps: [] });
    for (let index = 0; index < 100; index++) refuse(index);
    expect(problems.list()).toHaveLength(4);
    clock.ms = 300_000;
    refuse(7);
    expect(problems.list().some((text) => text.includes('c/n7 '))).toBe(true);
  });
});
