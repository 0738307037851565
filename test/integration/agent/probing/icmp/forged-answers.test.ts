import { randomInt } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { monitorEventLoop } from '../../../../../agent/platform/event-loop.js';
import { openIcmpEngine } from '../../../../../agent/probing/icmp/engine.js';
import type { Sample } from '../../../../../agent/model/sample.js';
import { openForger } from './forger.js';
import { pathTo } from '../path-to.js';

const eventLoop = monitorEventLoop();
// This address is used by no other test, so no other answers arrive from it.
const ip = `127.${randomInt(64, 128)}.${randomInt(256)}.${randomInt(1, 255)}`;
const forger = openForger(ip);
afterAll(() => {
  eventLoop.stop();
  if ('close' in forger) forger.close();
});

describe.each(['kernel', 'net-ping'] as const)('the %s engine', async (name) => {
  const engine = await openIcmpEngine(name, eventLoop);
  const prober = 'prober' in engine ? engine.prober : undefined;
  const probe = () => new Promise<Sample>((resolve) => prober?.probe(pathTo(ip), 2000, resolve));
  afterAll(() => prober?.close());
  beforeEach(({ skip }) => {
    if ('unavailable' in engine) skip(engine.unavailable);
    if ('unavailable' in forger) skip(forger.unavailable);
  });

  test('accepts no forged answer, and counts each by its kind', async () => {
    if ('unavailable' in forger) return;
    await probe();
    const answer = forger.lastAnswer();
    const next = (answer.sequence + 1) % 0x10000;
    const wrong = Buffer.alloc(answer.cookie.length, 7);

    forger.answer({ ...answer });
    forger.answer({ ...answer, cookie: wrong });
    forger.answer({ ...answer, sequence: (answer.sequence + 5000) % 0x10000 });
    // The engine reads this forged answer before the true one.
    forger.answer({ ...answer, sequence: next, cookie: wrong });
    forger.answer({ ...answer, id: (answer.id + 1) % 0x10000 });

    expect(await probe()).toMatchObject({ outcome: 'reply' });
    expect(forger.lastAnswer().sequence).toBe(next);
    expect(prober?.counts()).toMatchObject({
      sent: 2,
      answered: 2,
      late: 0,
      duplicate: 1,
      foreign: 3,
    });
  });
});
