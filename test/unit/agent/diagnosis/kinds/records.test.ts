import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Kind } from '../../../../../agent/diagnosis/kinds/kind.js';
import { kinds, pathKinds, targetKinds } from '../../../../../agent/diagnosis/kinds/kinds.js';
import { causeMasks } from '../../../../../agent/diagnosis/nouns/channel-mask.js';
import type { Trouble, Ways } from '../../../../../agent/diagnosis/nouns/cause.js';
import type { Subject } from '../../../../../agent/diagnosis/nouns/subject.js';
import type { PathSight } from '../../../../../agent/diagnosis/life/path-sight.js';
import type { TargetSight } from '../../../../../agent/diagnosis/life/target-sight-of.js';
import { findingKinds } from '../../../../../api/schema/v1/finding-kinds.js';

const agent = join(import.meta.dirname, '../../../../../agent');

test('the closed list of the contract and the records name the same kinds, each once', () => {
  expect(kinds.map(({ kind }) => kind).sort()).toEqual([...findingKinds].sort());
});

test.each(kinds)('$kind is a file of its own, which has its record', async ({ kind }) => {
  const exported = (await import(`../../../../../agent/diagnosis/kinds/${kind}.ts`)) as Record<
    string,
    unknown
  >;
  const name = kind.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  expect((exported[name] as Kind | undefined)?.kind).toBe(kind);
  expect(kinds).toContain(exported[name]);
});

// What is also the name of a subject, a trouble or a state is used for that elsewhere.
const elsewhere = ['zones', 'group', 'pair', 'lossy', 'slow', 'mtu'];

test('no other folder of the agent has a list of kinds, or does something else for one of them', () => {
  const literals = new RegExp(
    `'(?:${findingKinds.filter((kind) => !elsewhere.includes(kind)).join('|')})'`,
  );
  const naming = readdirSync(agent, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('diagnosis/kinds/'))
    .filter((name) => literals.test(readFileSync(join(agent, name), 'utf8')));
  expect(naming).toEqual([]);
});

const pathSubjects: readonly Subject[] = [
  { type: 'cluster' },
  { type: 'zones', group: 0, other: undefined },
  { type: 'zones', group: 0, other: 1 },
  { type: 'group', group: 0 },
  { type: 'groups', group: 0, other: 1 },
  { type: 'node', node: 0 },
  { type: 'node', node: 1 },
  { type: 'pair', from: 0, to: 1 },
];
const [allTroubles, allWays, both] = [
  ['broken', 'lossy', 'slow', 'mtu'] as const satisfies readonly Trouble[],
  ['in', 'out', 'both'] as const satisfies readonly Ways[],
  [false, true],
];

test('of each cause of paths exactly one kind applies', () => {
  let count = 0;
  for (const subject of pathSubjects)
    for (const trouble of allTroubles)
      for (const channels of causeMasks)
        for (const ways of allWays)
          for (const lives of both)
            for (const isPartial of both) {
              const cause = {
                subject,
                trouble,
                channels,
                knownChannels: channels,
                ways,
                isPartial,
              };
              const sight = {
                cause,
                life: { lives },
                localNode: 1,
                isAboutServers: false,
              } as unknown as PathSight;
              const named = pathKinds.filter(({ applies }) => applies(sight));
              expect(
                named.map(({ kind }) => kind),
                JSON.stringify({ cause, lives }),
              ).toHaveLength(1);
              count++;
            }
  expect(count).toBe(8 * 4 * 9 * 3 * 2 * 2);
});

test('of each cause about a target exactly one kind applies', () => {
  for (const subject of pathSubjects.filter(
    ({ type }) => !['pair', 'group', 'groups'].includes(type),
  ))
    for (const trouble of ['broken', 'lossy', 'slow'] as const)
      for (const failing of [1, 2]) {
        const seen = { all: { failing, of: 2 } };
        const sight = { subject, trouble, seen } as TargetSight;
        expect(targetKinds.filter(({ applies }) => applies(sight))).toHaveLength(1);
      }
});
