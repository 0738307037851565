import { expect, test } from 'vitest';
import { severityIn, worstMatrix } from '../../../../api/page/model/worst-matrix.js';
import type { Finding } from '../../../../api/schema/v1/findings.js';

function finding(more: Partial<Finding>): Finding {
  return {
    id: 'kind:c/a',
    kind: 'kind',
    severity: 'broken',
    since: '2026-01-01T00:00:00Z',
    seenBy: { failing: 1, of: 2 },
    explains: 1,
    confidence: 1,
    text: 'text',
    next: [],
    evidence: [],
    ...more,
  };
}

test.each([
  [[], 'host', 'icmp'],
  [[finding({})], 'host', 'icmp'],
  [[finding({ plane: 'endpoint', protocols: ['icmp', 'http'] })], 'endpoint', 'icmp'],
  [[finding({ plane: 'endpoint', protocols: ['http'] })], 'endpoint', 'http'],
  [[finding({ plane: 'endpoint' }), finding({ plane: 'host' })], 'endpoint', 'icmp'],
  [[finding({ protocols: ['http'] })], 'host', 'http'],
] as const)('of the findings %j the worst shows in %s %s', (findings, plane, protocol) => {
  expect(worstMatrix(findings)).toEqual({ plane, protocol });
});

test('a matrix is marked with the worst of the findings that show in it', () => {
  const findings = [
    finding({ plane: 'endpoint', protocols: ['http'] }),
    finding({ severity: 'degraded' }),
  ];
  expect(severityIn(findings, { plane: 'endpoint', protocol: 'http' })).toBe('broken');
  expect(severityIn(findings, { plane: 'endpoint', protocol: 'icmp' })).toBe('degraded');
  expect(severityIn([], { plane: 'host', protocol: 'icmp' })).toBeUndefined();
});
