import { expect, test } from 'vitest';
import { severityIn } from '../../../../api/page/model/matrix-severity.js';
import { makeFinding } from '../../../rows/make-finding.js';

test('a matrix is marked with the worst of the findings that show in it', () => {
  const findings = [
    makeFinding({ plane: 'endpoint', protocols: ['http'] }),
    makeFinding({ severity: 'degraded' }),
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
    makeFinding({ kind: 'target-down', target: 'dns' }),
    makeFinding({ kind: 'mtu', plane: 'host' }),
    makeFinding({ kind: 'observers-missing' }),
  ];
  expect(severityIn(findings, { plane: 'worst', protocol: 'worst' })).toBeUndefined();
});
