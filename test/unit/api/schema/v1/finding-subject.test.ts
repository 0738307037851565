import { expect, test } from 'vitest';
import {
  findingSubject,
  isAbout,
  isOfCluster,
} from '../../../../../api/schema/v1/finding-subject.js';
import { makeFinding } from '../../../../rows/make-finding.js';

const cut = (label: string) => {
  const groups = ['a', 'b'].map((value) => ({ label, value, nodes: 2 }));
  return makeFinding({ id: 'groups:1', kind: 'group', groups });
};

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

test('a finding of a group is about the nodes with its values, also once it has closed', () => {
  const node = { name: 'c/n1', zone: 'a', labels: { rack: 'r2' }, findings: [] };
  const group = { label: 'rack', value: 'r2', nodes: 3 };
  expect(isAbout({ id: 'x', group }, node)).toBe(true);
  expect(isAbout({ id: 'x', group: { ...group, value: 'r3' } }, node)).toBe(false);
  const both = (value: string) => ({ ...group, and: { label: 'zone', value } });
  expect(isAbout({ id: 'x', group: both('a') }, node)).toBe(true);
  expect(isAbout({ id: 'x', group: both('b') }, node)).toBe(false);
});

test('a finding of many is about those that it names', () => {
  const node = { name: 'c/n1', findings: [] };
  expect(isAbout({ id: 'x', examples: ['c/n10', 'c/n1'] }, node)).toBe(true);
  expect(isAbout({ id: 'x', examples: ['c/n2 - c/n1'] }, node)).toBe(true);
  expect(isAbout({ id: 'x', examples: ['c/n10 - c/n11'] }, node)).toBe(false);
});
