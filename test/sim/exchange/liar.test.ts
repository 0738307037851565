import { expect, test } from 'vitest';
import type { TargetHint } from '../../../agent/exchange/hints/target-hint.js';
import { MeshKeys } from '../../../agent/exchange/messages/mesh-keys.js';
import { encodeRequest } from '../../../agent/exchange/messages/message.js';
import { FakeMesh } from '../../unit/agent/exchange/lib/fake-peers.js';

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

/** How many GETs each other agent sends on average because one of them tells these hints, second by second. */
function getsBecauseOf(lie: (second: number) => readonly TargetHint[]): number {
  const mesh = new FakeMesh(agents);
  mesh.introduceAll();
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
        targetHints: lie(second),
      },
      new MeshKeys(),
    );
    to.exchange.answer(header, liar.hostIp);
    mesh.clock.runUntil(10_000 + 1000 * (second + 1));
  }
  const gets = others.reduce((sum, { broughtForward }) => sum + broughtForward.length, 0);
  return gets / others.length;
}

test.each([
  ['server numbers that nobody has', (second: number) => sixteenHints(second, 'failure', 99)],
  [
    'that all changes, every second',
    (second: number) => sixteenHints(second, second % 2 === 0 ? 'failure' : 'recovery', 2),
  ],
])('one agent that tells %s makes each other one send at most two more GETs a second', (_, lie) => {
  expect(getsBecauseOf(lie)).toBeLessThanOrEqual(2 * seconds);
});

test('one hint of one agent makes each other one send 27 GETs in all, and ten witnesses 9 more', () => {
  const once = (hints: readonly TargetHint[]) => (second: number) => (second === 0 ? hints : []);
  expect(getsBecauseOf(once(hintBy('c/n7')))).toBeLessThanOrEqual(27);
  const ten = Array.from({ length: 10 }, (_, at) => witnessOf(at));
  expect(getsBecauseOf(once(hintBy(...ten)))).toBeLessThanOrEqual(36);
});
