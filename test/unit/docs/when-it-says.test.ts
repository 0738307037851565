import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Finding } from '../../../agent/diagnosis/nouns/finding.js';
import { findingKinds, type FindingKind } from '../../../api/schema/v1/finding-kinds.js';
import { renderDiagnosis } from '../../../cli/view/diagnosis-text.js';
import { anchorOf } from '../../../scripts/reference/table.js';
import {
  found,
  makeNodes,
  n,
  namesOf,
  rowsOf,
  start,
  type PathOf,
} from '../agent/diagnosis/cluster.js';

const page = readFileSync(join(import.meta.dirname, '../../../docs/when-it-says.md'), 'utf8');

/** The text below each heading of the second level, by the anchor of the heading. */
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => [anchorOf(section.slice(0, section.indexOf('\n'))), section]),
);

type Options = NonNullable<Parameters<typeof found>[1]>;
/** The targets that Kubernetes agents probe by themselves, and one of which nothing is known but its name. */
const targets = ['cluster-dns', 'service', 'registry'];

type Which = (path: PathOf) => boolean;

const failing = (which: Which, more: Options = {}) =>
  found(8, { says: (path) => (which(path) ? 'unreachable' : undefined), ...more });
const toNode7 = ({ to }: PathOf) => to === n(7);
const ofNode7 = ({ from, to }: PathOf) => from === n(7) || to === n(7);
const silent = { without: [n(7)] };
const pair = [n(3), n(5)];
const zoneB = [n(5), n(6), n(7), n(8)];

/** A cluster of eight nodes with one fault, for each kind. */
const faults: Record<FindingKind, () => ReturnType<typeof found>> = {
  'node-down': () => failing(toNode7, silent),
  'node-isolated': () => failing(toNode7),
  'agent-down': () =>
    failing((path) => toNode7(path) && path.plane === 'host' && path.protocol === 'http', silent),
  'endpoint-down': () =>
    failing((path) => toNode7(path) && path.plane === 'endpoint' && path.protocol === 'http'),
  'host-plane': () => failing((path) => toNode7(path) && path.plane === 'host', silent),
  'endpoint-plane': () => failing((path) => ofNode7(path) && path.plane === 'endpoint'),
  'icmp-filtered': () => failing((path) => ofNode7(path) && path.protocol === 'icmp'),
  'http-filtered': () => failing((path) => toNode7(path) && path.protocol === 'http'),
  zones: () =>
    failing(({ from, to }) => zoneB.includes(from) !== zoneB.includes(to), {
      zones: [1, 2, 3, 4, 5, 6, 7, 8].map((number) => (zoneB.includes(n(number)) ? 'b' : 'a')),
    }),
  pair: () => failing(({ from, to }) => pair.includes(from) && pair.includes(to)),
  lossy: () =>
    found(8, { says: (path) => (ofNode7(path) && path.protocol === 'icmp' ? 'lossy' : undefined) }),
  slow: () => found(8, { says: (path) => (ofNode7(path) ? 'slow' : undefined) }),
  mtu: () =>
    found(8, {
      large: ({ to }) =>
        to === n(7) ? { limit: { bytes: 1410, interfaceBytes: 1500 } } : 'passed',
    }),
  group: () => {
    const inGroup = (name: string) => [n(2), n(5), n(7)].includes(name);
    const nodes = makeNodes(8).map((node) => ({
      ...node,
      labels: { kernel: inGroup(node.name) ? '6.8.0-45' : '6.8.0-31' },
    }));
    const fails = ({ to, protocol }: PathOf) => inGroup(to) && protocol === 'icmp';
    return failing(fails, { nodes, groupBy: ['kernel'] });
  },
  'address-family': () => {
    const failingPaths = { reachable: 0, unreachable: 7, unknown: 0 };
    const ofRow = { family: 'ipv6', plane: 'host', protocol: 'http', ...failingPaths } as const;
    const said = { rows: rowsOf(namesOf(8), { row: { families: [ofRow] } }) };
    const previous = found(8, said);
    return found(8, { ...said, input: { previous, now: start + 6000 } });
  },
  'target-down': () =>
    found(8, {
      targets,
      saysOf: ({ target }) => (target === 'cluster-dns' ? {} : undefined),
    }),
  'target-unreachable': () =>
    found(8, {
      targets,
      saysOf: ({ target, from }) => (target === 'service' && from === n(7) ? {} : undefined),
    }),
  'target-slow': () =>
    found(8, {
      targets,
      saysOf: ({ target }) =>
        target === 'registry' ? { state: 'slow', ageSeconds: 120 } : undefined,
    }),
  'target-lossy': () =>
    found(8, {
      targets,
      saysOf: ({ target }) =>
        target === 'registry' ? { state: 'lossy', ageSeconds: 60 } : undefined,
    }),
  'not-listed': () => {
    const localName = 'c/n1.example.com';
    const previous = found(6, { input: { localName } });
    return found(6, { input: { localName, previous, now: start + 6000 } });
  },
  'host-sign': () => {
    const full = {
      sign: 'conntrack-full',
      plane: 'host',
      about: '',
      value: 262_144,
      limit: 262_144,
    } as const;
    const said = { rows: { [n(7)]: { row: { signs: [{ ...full, ageSeconds: 30 }] } } } };
    return found(8, { ...said, input: { previous: found(8, said), now: start + 1000 } });
  },
  'observers-missing': () => found(8, { rows: { [n(4)]: { ageMs: 40_000, freshness: 'stale' } } }),
};

/** What `meshprobe diagnose` prints of the finding, without the figures and examples. */
function printed(finding: Finding): string {
  const findings = {
    at: new Date(start).toISOString(),
    observers: { fresh: 8, stale: 0, silent: 0 },
    findings: [finding],
  };
  const summary = { verdict: finding.severity, observers: {} };
  const text = renderDiagnosis({ findings, summary } as never, { paint: (_, words) => words });
  return text.replaceAll(/^(?!BROKEN|DEGRADED| {2}next:| {8}).*\n/gm, '');
}

test('the page has an anchor for every kind of finding, and no other', () => {
  expect([...sections.keys()]).toEqual([...findingKinds]);
});

test.each(findingKinds)('the page shows what is really printed of %s', (kind) => {
  const { findings } = faults[kind]();
  expect(findings.map((one) => one.kind)).toEqual([kind]);
  const [finding] = findings;
  if (finding) expect(sections.get(kind)).toContain(`\`\`\`text\n${printed(finding)}\`\`\`\n`);
});

test.each(findingKinds)('the page says what %s means and what to do, step by step', (kind) => {
  const section = sections.get(kind) ?? '';
  expect(section).toMatch(/\n\nWhat to do:\n\n1\. .+/);
  expect(section.slice(section.indexOf('\n'), section.indexOf('```')).trim()).not.toBe('');
});
