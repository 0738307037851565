import { describe, expect, test } from 'vitest';
import { Problems } from '../../../../agent/platform/problems.js';
import { createOtherKeyReporter } from '../../../../agent/start/other-keys.js';

function createReporter(isKeyed: boolean) {
  const clock = { ms: 0 };
  const problems = new Problems();
  const warnings: unknown[] = [];
  const logger = { warn: (facts: unknown) => void warnings.push(facts) };
  const note = createOtherKeyReporter(problems, logger, { isKeyed }, () => clock.ms);
  return { clock, problems, warnings, note };
}

describe('peers with another mesh key', () => {
  test('are one problem, logged once, until the last of them has the same key', () => {
    const { problems, warnings, note } = createReporter(true);
    note('c/n1', true);
    expect(problems.list()).toEqual([]);
    for (const peer of ['c/n2', 'c/n3', 'c/n2']) note(peer, false);
    const rest =
      'another mesh key, or none: neither side believes what the other one tells (--mesh-key-file, the same on all nodes)';
    expect(problems.coded()).toEqual([
      { code: 'mesh-key', severity: 'warning', text: `c/n2, c/n3 have ${rest}` },
    ]);
    expect(warnings).toEqual([{ peer: 'c/n2' }]);
    note('c/n2', true);
    expect(problems.list()).toEqual([`c/n3 has ${rest}`]);
    note('c/n3', true);
    expect(problems.list()).toEqual([]);
  });

  test('are told as such by an agent without one', () => {
    const { problems, note } = createReporter(false);
    note('c/n2', false);
    expect(problems.list()).toEqual([
      'c/n2 has a mesh key and this agent has none: it believes nothing that it tells (--mesh-key-file, the same on all nodes)',
    ]);
  });

  test('are four by name, and forgotten when nothing came of them for five minutes', () => {
    const { clock, problems, note } = createReporter(true);
    for (let index = 0; index < 6; index++) note(`c/n${index}`, false);
    expect(problems.list()).toEqual([
      expect.stringMatching(/^c\/n0, c\/n1, c\/n2, c\/n3 and 2 more have another mesh key/),
    ]);
    clock.ms = 300_000;
    note('c/n5', false);
    expect(problems.list()).toEqual([expect.stringMatching(/^c\/n5 has another mesh key/)]);
  });
});
