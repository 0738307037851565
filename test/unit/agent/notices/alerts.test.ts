import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../api/schema/v1/findings.js';
import type { Notice } from '../../../../agent/notices/notice.js';
import { alertsOf } from '../../../../agent/notices/sending/alertmanager.js';
import { webhookPost } from '../../../../agent/notices/sending/webhook.js';
import { makeFinding } from '../../../rows/make-finding.js';
import { makeNotice } from '../../../rows/make-notice.js';

const at = '2026-01-01T10:00:00.000Z';
const later = '2026-01-01T10:05:00.000Z';
const text = 'none of 11 nodes reaches c/n7';
const finding = makeFinding({ node: 'c/n7', since: '2026-01-01T09:00:00.000Z', text });
const degraded: Finding = { ...finding, kind: 'lossy', severity: 'degraded' };
const notice = (more: Partial<Notice>) => makeNotice({ finding, at, ...more });
const short = (one: Notice) =>
  alertsOf(one).map(({ labels, endsAt }) => [labels['alertname'], labels['severity'], endsAt]);

describe('the alerts of a notice', () => {
  test('are one that holds for five minutes, and one that ends now for each earlier name', () => {
    const told = notice({ event: 'changed', earlier: [degraded, degraded] });
    expect(short(told)).toEqual([
      ['MeshprobeNodeDown', 'critical', later],
      ['MeshprobePacketLoss', 'warning', at],
    ]);
  });

  test('all end where the finding closed', () => {
    expect(short(notice({ event: 'closed', earlier: [degraded] }))).toEqual([
      ['MeshprobeNodeDown', 'critical', at],
      ['MeshprobePacketLoss', 'warning', at],
    ]);
  });

  test('do not end the one that is told', () => {
    expect(short(notice({ earlier: [finding] }))).toEqual([
      ['MeshprobeNodeDown', 'critical', later],
    ]);
  });
});

test('a webhook is not told what the finding was before', () => {
  const secrets = {
    url: new URL('http://b.example'),
    secret: undefined,
    headers: [],
    ca: undefined,
  };
  const { body } = webhookPost(notice({ earlier: [degraded], openings: 3 }), secrets, 1);
  expect(Object.keys(JSON.parse(body) as object)).toEqual([
    ...['version', 'id', 'event', 'cluster', 'finding', 'openings', 'verdict', 'at', 'by'],
  ]);
});
