import { expect, test, vi } from 'vitest';
import { assignUniqueAddresses } from '../../../../agent/discovery/assign-unique-addresses.js';
import type { Node } from '../../../../agent/model/node.js';
import { Problems } from '../../../../agent/platform/problems.js';
import { createAddressConflictReporter } from '../../../../agent/selfcheck/address-conflicts.js';

const node = (name: string, ...host: string[]): Node => ({ name, host, endpoint: [] });

test('nodes that claim addresses of others are a problem with both names until they do not', () => {
  const problems = new Problems();
  const warn = vi.fn();
  const report = createAddressConflictReporter({ logger: { warn }, problems });
  const good = [node('c/a', '198.51.100.1'), node('c/b', '198.51.100.2')];
  const bad = assignUniqueAddresses([
    ...good,
    node('c/twin', '198.51.100.1'),
    node('c/liar', '203.0.113.1', '198.51.100.2'),
  ]);
  report(bad);
  report(bad);
  expect(problems.coded()).toEqual([
    {
      code: 'address-conflict',
      severity: 'warning',
      text: 'c/twin claims 198.51.100.1 of c/a and is excluded; c/liar claims 198.51.100.2 of c/b',
    },
  ]);
  expect(warn).toHaveBeenCalledOnce();
  report(good);
  expect(problems.list()).toEqual([]);
});

test('many conflicts are counted', () => {
  const problems = new Problems();
  const report = createAddressConflictReporter({ logger: { warn: vi.fn() }, problems });
  const ips = Array.from({ length: 5 }, (_, n) => `198.51.100.${n}`);
  report(
    assignUniqueAddresses([
      ...ips.map((ip) => node(`c/${ip}`, ip)),
      node('c/l', '203.0.113.1', ...ips),
    ]),
  );
  expect(problems.list()[0]).toMatch(/^(c\/l claims \S+ of \S+; ){3}and 2 more$/);
});
