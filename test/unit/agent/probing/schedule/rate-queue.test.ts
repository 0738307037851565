import { describe, expect, test } from 'vitest';
import { RateQueue } from '../../../../../agent/probing/schedule/rate-queue.js';
import { FakeClock } from '../fake-clock.js';

function createQueue(perSecond = 100) {
  const clock = new FakeClock();
  const queue = new RateQueue({ clock, perSecond });
  const ran: string[] = [];
  const run = (name: string, options = {}) => queue.run(() => ran.push(name), options);
  return { clock, queue, ran, run };
}

describe('RateQueue', () => {
  test('runs an action at once while the rate allows', () => {
    const { ran, run } = createQueue();
    run('a');
    expect(ran).toEqual(['a']);
  });

  test('runs no more than the rate says, in order', async () => {
    const { clock, ran, run } = createQueue(100);
    const names = Array.from({ length: 30 }, (_, i) => `${i}`);
    for (const name of names) run(name);
    await clock.advance(100);
    expect(ran.length).toBeGreaterThanOrEqual(9);
    expect(ran.length).toBeLessThanOrEqual(13);
    await clock.advance(300);
    expect(ran).toEqual(names);
  });

  test('runs urgent actions before others that wait', async () => {
    const { clock, ran, run } = createQueue(10);
    for (const name of ['a', 'b', 'c']) run(name);
    run('urgent', { urgent: true });
    await clock.advance(1000);
    expect(ran).toEqual(['a', 'urgent', 'b', 'c']);
  });

  test('lets lanes take turns, each in its order', async () => {
    const { clock, ran, run } = createQueue(10);
    for (const name of ['a1', 'a2', 'a3', 'a4']) run(name, { lane: 'a' });
    for (const name of ['b1', 'b2']) run(name, { lane: 'b' });
    run('a5', { lane: 'a' });
    await clock.advance(1000);
    expect(ran).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4', 'a5']);
  });

  test('an action may ask for more in its own lane while it is the last one there', async () => {
    const { clock, queue, ran, run } = createQueue(10);
    const inLane = { lane: 'a' };
    queue.run(() => run('second', inLane), inLane);
    queue.run(() => run('third', inLane), inLane);
    await clock.advance(1000);
    expect(ran).toEqual(['second', 'third']);
  });

  test('drops cancelled actions, which use none of the rate', async () => {
    const { clock, ran, run } = createQueue(10);
    run('a');
    run('b')();
    run('c');
    await clock.advance(120);
    expect(ran).toEqual(['a', 'c']);
  });

  test('takes further actions while it runs one', async () => {
    const { clock, queue, ran, run } = createQueue(10);
    queue.run(() => run('inner'));
    await clock.advance(200);
    expect(ran).toEqual(['inner']);
  });

  test('gives an action several turns before what is asked for later', async () => {
    const { clock, queue, ran, run } = createQueue(10);
    let turn = 0;
    queue.run(() => ran.push(`turn ${++turn}`), { turns: 3 });
    run('later');
    await clock.advance(120);
    expect(ran).toEqual(['turn 1', 'turn 2']);
    await clock.advance(1000);
    expect(ran).toEqual(['turn 1', 'turn 2', 'turn 3', 'later']);
  });

  test('drops the turns that a cancelled action has left', async () => {
    const { clock, queue, ran, run } = createQueue(10);
    const cancel = queue.run(() => ran.push('turn'), { turns: 3 });
    run('later');
    cancel();
    await clock.advance(120);
    expect(ran).toEqual(['turn', 'later']);
  });

  test('does not save up what it did not use', async () => {
    const { clock, ran, run } = createQueue(100);
    await clock.advance(60_000);
    for (let i = 0; i < 20; i++) run('x');
    expect(ran.length).toBeLessThanOrEqual(4);
  });

  test('runs nothing after it is stopped, and leaves no timer', async () => {
    const { clock, queue, ran, run } = createQueue(10);
    for (const name of ['a', 'b', 'c']) run(name);
    queue.stop();
    await clock.advance(1000);
    expect(ran).toEqual(['a']);
    expect(clock.pendingTimers).toBe(0);
  });
});
