import { expect, test } from 'vitest';
import { MeshKeys } from '../../../../agent/exchange/messages/mesh-keys.js';
import { encodeAnswer, encodeRequest } from '../../../../agent/exchange/messages/message.js';
import type { Hint } from '../../../../agent/exchange/hints/hint.js';
import type { TargetHint } from '../../../../agent/exchange/hints/target-hint.js';
import { encodeRow } from '../../../../agent/peers/row/row-text.js';
import { mutate, Random } from '../../../fuzz/random.js';
import { fuzzScale } from '../../../fuzz/scale.js';
import { FakeMesh } from './lib/fake-peers.js';
import { randomRow } from './lib/rows.js';

const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const rounds = fuzzScale(400);
const keys = new MeshKeys();

const hints: Hint[] = ['c/n2', 'c/n3', 'c/unlisted'].map((node) => ({
  node,
  plane: 'host',
  protocol: 'icmp',
  change: 'failure',
  ageMs: 3,
  isWitness: true,
}));

const targetHints: TargetHint[] = ['c/n2', 'c/n3', 'c/unlisted'].map((witness) => ({
  target: 'database',
  digest: 7,
  plane: 'host',
  change: 'failure',
  ageMs: 3,
  witness,
}));

test(
  `mutated exchanges change nothing but rows, hints and counters (FUZZ_SEED=${seed})`,
  { timeout: 600_000 },
  () => {
    const random = new Random(seed);
    const mesh = FakeMesh.introduced(4);
    const [self, peer] = [mesh.peer(0), mesh.peer(1)];
    const ends = { from: self.name, to: peer.name, nonce: 'abcdefghijklmnop' };
    const request = encodeRequest(
      {
        ...ends,
        from: peer.name,
        to: self.name,
        rowTag: 'p0.1',
        wholeRow: undefined,
        hints,
        targetHints,
      },
      keys,
    );
    const row = encodeRow(randomRow(random, ['c/n2', 'c/n3'], peer.name));
    const whole = '{"channel":0,"states":"AgICAg==","rtts":"AgICAg=="}';
    const body = `{"ageMs":5,"row":${row},"whole":${whole}}`;
    const answer = encodeAnswer({ rowTag: 'p1.2', hints, targetHints }, body, ends, keys);
    const spoil = (text: string): string => mutate(Buffer.from(text), random).toString('latin1');

    for (let round = 0; round < rounds; round++) {
      mesh.clock.runUntil(mesh.clock.nowMs() + 10);
      self.exchange.answer(spoil(request), peer.hostIp);
      const question = self.exchange.ask(mesh.path(1));
      question?.onAnswer(
        random.below(2) === 0 ? answer : spoil(answer),
        random.below(3) === 0 ? body : spoil(body),
      );
      const kept = self.peers.wholeRows.get(peer.name, 'host', 'icmp');
      expect(kept?.states.length ?? 4).toBe(kept?.nodes.length ?? 4);
      for (const { row } of self.peers.rows()) {
        // A spoiled name may be that of another listed node.
        for (const { node } of row.paths) expect(self.peers.directory.get(node)).toBeDefined();
        expect(row.counts.host.icmp.degraded).toBeLessThanOrEqual(row.counts.host.icmp.reachable);
      }
    }
    // Only listed paths may be probed, at most once in two seconds for each path and protocol.
    const seconds = mesh.clock.nowMs() / 1000;
    for (const { node } of self.looks) expect(['c/n1', 'c/n2', 'c/n3']).toContain(node);
    expect(self.looks.length).toBeLessThanOrEqual(3 * 4 * (seconds / 2 + 1));
    // A target may be looked at once in the time over which the looks of all agents are spread.
    expect(self.targetLooks.length).toBeLessThanOrEqual(2 * 4 * (seconds + 1));
    const { messagesReceived, messagesRefused, rowsReceived } = self.exchange.counts();
    expect(messagesRefused.malformed).toBeGreaterThan(rounds / 10);
    expect(messagesReceived).toBeGreaterThan(rounds / 20);
    expect(rowsReceived).toBeGreaterThan(rounds / 20);
  },
);
