import { expect, test } from 'vitest';
import { severityIn } from '../../../../api/page/model/matrix-severity.js';
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

test('a matrix is marked with the worst of the findings that show in it', () => {
  const findings = [
    finding({ plane: 'endpoint', protocols: ['http'] }),
    finding({ severity: 'degraded' }),
  ];
  expect(severityIn(findings, { plane: 'endpoint', protocol: 'http' })).toBe('broken');
  expect(severityIn(findings, { plane: 'endpoint', protocol: 'icmp' })).toBe('degraded');
  expect(severityIn(findings, { plane: 'worst', protocol: 'worst' })).toBe('broken');
  expect(severityIn(findings, { plane: 'worst', protocol: 'icmp' })).toBe('degraded');
  expect(severityIn(findings, { plane: 'host', protocol: 'worst' })).toBe('degraded');
  expect(severityIn([], { plane: 'host', protocol: 'icmp' })).toBeUndefined();
});

test('what the cells do not show marks no matrix', () => {
  const findings = [
    finding({ kind: 'target-down', target: 'dns' }),
    finding({ kind: 'mtu', plane: 'host' }),
    finding({ kind: 'observers-missing' }),
  ];
  expect(severityIn(findings, { plane: 'worst', protocol: 'worst' })).toBeUndefined();
});
