import { expect, test } from 'vitest';
import type { Hint } from '../../../agent/exchange/hints/hint.js';
import type { TargetHint } from '../../../agent/exchange/hints/target-hint.js';
import { MeshKeys } from '../../../agent/exchange/messages/mesh-keys.js';
import { encodeRequest } from '../../../agent/exchange/messages/message.js';
import { FakeMesh, type FakePeer } from '../../unit/agent/exchange/lib/fake-peers.js';

const agents = 30;
const seconds = 60;

const subject = { target: 'database', digest: 7, ageMs: 0 } as const;
const witnessOf = (at: number): string => `c/n${1 + (at % (agents - 1))}`;

/** One hint, with each name of a witness. */
function hintBy(...witnesses: string[]): TargetHint[] {
  return witnesses.map((witness) => ({ ...subject, plane: 'host', change: 'failure', witness }));
}

/** Sixteen hints of one second: of a target from both planes, as a whole and of so many DNS servers, in turn. */
function sixteenHints(second: number, change: TargetHint['change'], servers: number): TargetHint[] {
  return Array.from({ length: 16 }, (_, index) => {
    const at = second * 16 + index;
    const server = Math.floor(at / 2) % (servers + 1);
    return {
      ...subject,
      plane: at % 2 === 0 ? 'host' : 'endpoint',
      ...(server > 0 && { server: server - 1 }),
      change,
      witness: witnessOf(at),
    };
  });
}

interface Lie {
  readonly hints?: readonly Hint[];
  readonly targetHints?: readonly TargetHint[];
}

/** How many GETs, and looks at paths, each other agent sends on average because one of them tells these hints, second by second. */
function probesBecauseOf(lie: (second: number) => Lie): { gets: number; looks: number } {
  // None sends GETs in turn here, and none is to miss them.
  const mesh = FakeMesh.introduced(agents, { httpIntervalMs: 600_000 });
  const [liar, ...others] = mesh.peers;
  mesh.clock.runUntil(10_000);
  for (const peer of others) peer.broughtForward.length = 0;
  for (let second = 0; second < seconds; second++) {
    const to = others[second % others.length];
    if (!liar || !to) throw new RangeError('no agents');
    const header = encodeRequest(
      {
        from: liar.name,
        to: to.name,
        nonce: `nonce${String(second).padStart(11, '0')}`,
        rowTag: undefined,
        wholeRow: undefined,
        hints: [],
        targetHints: [],
        ...lie(second),
      },
      new MeshKeys(),
    );
    to.exchange.answer(header, liar.hostIp);
    mesh.clock.runUntil(10_000 + 1000 * (second + 1));
  }
  const mean = (countOf: (peer: FakePeer) => number) =>
    others.reduce((sum, peer) => sum + countOf(peer), 0) / others.length;
  return {
    gets: mean(({ broughtForward }) => broughtForward.length),
    looks: mean(({ looks }) => looks.length),
  };
}

test.each([
  ['server numbers that nobody has', (second: number) => sixteenHints(second, 'failure', 99)],
  [
    'that all changes, every second',
    (second: number) => sixteenHints(second, second % 2 === 0 ? 'failure' : 'recovery', 2),
  ],
])('one agent that tells %s makes each other one send at most two more GETs a second', (_, lie) => {
  const { gets } = probesBecauseOf((second) => ({ targetHints: lie(second) }));
  expect(gets).toBeLessThanOrEqual(2 * seconds);
});

test('one hint of one agent makes each other one send 27 GETs in all, and ten witnesses 9 more', () => {
  const once = (targetHints: readonly TargetHint[]) =>
    probesBecauseOf((second) => (second === 0 ? { targetHints } : {})).gets;
  expect(once(hintBy('c/n7'))).toBeLessThanOrEqual(27);
  const ten = Array.from({ length: 10 }, (_, at) => witnessOf(at));
  expect(once(hintBy(...ten))).toBeLessThanOrEqual(36);
});

test('one agent that tells that eight paths change every second makes each other one look twice a second', () => {
  const nodes = [1, 2, 3, 4].map((index) => `c/n${index}`);
  const hints = (second: number) =>
    nodes.flatMap((node): Hint[] =>
      (['host', 'endpoint'] as const).map((plane) => ({
        node,
        plane,
        protocol: 'icmp',
        ageMs: 0,
        isWitness: true,
        change: second % 2 === 0 ? 'failure' : 'recovery',
      })),
    );
  const { looks, gets } = probesBecauseOf((second) => ({ hints: hints(second) }));
  expect(looks).toBeLessThanOrEqual(2 * seconds);
  expect(gets).toBeLessThanOrEqual(3 * seconds + 3);
});
