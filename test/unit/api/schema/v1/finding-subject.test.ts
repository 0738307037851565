import { expect, test } from 'vitest';
import type { Finding } from '../../../../../api/schema/v1/findings.js';
import {
  findingSubject,
  isAbout,
  isOfCluster,
} from '../../../../../api/schema/v1/finding-subject.js';

const cut = (label: string): Finding => ({
  id: 'groups:1',
  kind: 'group',
  severity: 'broken',
  groups: [
    { label, value: 'a', nodes: 2 },
    { label, value: 'b', nodes: 3 },
  ],
  since: '2026-11-21T12:00:00.000Z',
  seenBy: { failing: 5, of: 5 },
  explains: 24,
  confidence: 1,
  text: 'the 2 nodes with role a and the 3 nodes with role b cannot reach each other',
  next: [],
  evidence: [],
});

test('a finding of two groups is about the nodes of both, and not about the cluster', () => {
  const node = { name: 'n1', findings: [] };
  expect(isAbout(cut('role'), { ...node, labels: { role: 'b' } })).toBe(true);
  expect(isAbout(cut('role'), { ...node, labels: { role: 'c', rack: 'a' } })).toBe(false);
  expect(isAbout(cut('role'), node)).toBe(false);
  expect(isAbout(cut('zone'), { ...node, zone: 'a' })).toBe(true);
  expect(isOfCluster(cut('role'))).toBe(false);
});

test('what it is about are both values', () => {
  expect(findingSubject(cut('role'))).toBe('role=a -> role=b');
});
