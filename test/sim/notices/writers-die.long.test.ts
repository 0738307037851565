import { expect, test } from 'vitest';
import { Random } from '../../fuzz/random.js';
import { NoticeWorld } from './notice-world.js';

const seeds = Number(process.env['NOTICE_SEEDS'] ?? 25);
const firstSeed = Number(process.env['NOTICE_SEED'] ?? 1);
/** Within this time some other agent has asked for the row of a sender. */
const toldMs = 1500;
const taken = { isTaken: true, answer: '200' };
const refused = { isTaken: false, answer: '503' };

/** What is known of one run. */
interface Outcome {
  readonly lost: string[];
  /** Told twice as other news. */
  readonly twice: string[];
  /** Told again with the same id, though its sender had time to tell the others. */
  readonly again: string[];
  /** Told again with the same id, where its sender died before it could. */
  readonly unknown: number;
  readonly deaths: number;
}

/** Twelve agents, findings that open and close, and senders that die before, while and after they send. */
async function run(seed: number): Promise<Outcome> {
  const random = new Random(seed);
  const world = new NoticeWorld(12, [{}, {}]);
  const unsure = new Set<string>();
  const sent: { readonly by: object; readonly key: string; readonly endMs: number }[] = [];
  let deaths = 0;
  const kill = (agent: (typeof world.agents)[number]): void => {
    // More would take the quorum from the others.
    if (!agent.isAlive || world.agents.filter(({ isAlive }) => !isAlive).length >= 4) return;
    deaths++;
    // It may be sending to the other receiver too.
    for (const { by, key, endMs } of sent)
      if (by === agent && endMs > world.clock.nowMs() - toldMs) unsure.add(key);
    world.kill(agent);
    world.clock.after(20_000 + random.below(40_000), () => world.start(agent));
  };
  world.receive = (notice, receiver, agent) => {
    const afterMs = 20 + random.below(random.below(3) === 0 ? 9000 : 400);
    if (random.below(8) === 0) return { isTaken: false, afterMs, delivery: refused };
    const key = `${receiver.name} ${notice.id}`;
    sent.push({ by: agent, key, endMs: world.clock.nowMs() + afterMs });
    const fate = random.below(6);
    if (fate === 0) {
      kill(agent);
      return { isTaken: agent.isAlive, afterMs, delivery: taken };
    }
    const dies =
      fate === 1 ? random.below(afterMs) : fate === 2 ? afterMs + random.below(4000) : -1;
    if (dies >= 0) world.clock.after(dies, () => kill(agent));
    return { isTaken: true, afterMs, delivery: taken };
  };
  await world.run(30_000);
  const ids = [3, 7, 11].slice(0, 1 + random.below(3)).map((at) => `pair:c/n${at},c/x`);
  for (const id of ids) {
    world.find(id, { kind: 'pair', node: undefined }, () => random.below(3000));
    await world.run(random.below(20_000));
  }
  // Seven tries in a row may fail, and what closes before it was told is not told.
  await world.run(240_000);
  for (const id of ids) world.close(id, () => random.below(3000));
  await world.run(240_000);
  world.end();
  const wanted = ids.flatMap((id) =>
    ['r1', 'r2'].flatMap((one) => [`${one} opened ${id}`, `${one} closed ${id}`]),
  );
  const lost = wanted.filter((one) => !world.told().includes(one));
  const byNews = new Map<string, string[]>();
  world.taken.forEach(({ receiver, notice }, at) => {
    const news = world.told()[at] ?? '';
    byNews.set(news, [...(byNews.get(news) ?? []), `${receiver} ${notice.id}`]);
  });
  const repeats = [...byNews].filter(([, all]) => all.length > 1);
  const isUnsure = ([, all]: [string, string[]]) => all.slice(0, -1).every((id) => unsure.has(id));
  return {
    lost,
    twice: repeats.filter(([, all]) => new Set(all).size > 1).map(([news]) => news),
    again: repeats.filter((one) => !isUnsure(one)).map(([news]) => news),
    unknown: repeats.filter(isUnsure).length,
    deaths,
  };
}

test(`of ${seeds} runs in which senders die, no news is lost and none is told twice`, async () => {
  const bad: string[] = [];
  let [deaths, unknown] = [0, 0];
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    const outcome = await run(seed);
    deaths += outcome.deaths;
    unknown += outcome.unknown;
    const { lost, twice, again } = outcome;
    if (lost.length + twice.length + again.length > 0)
      bad.push(JSON.stringify({ seed, lost, twice, again }));
  }
  process.stdout.write(
    `notices: ${seeds} runs, ${deaths} senders died, ${bad.length} runs wrong; ${unknown} messages came again with the same id\n`,
  );
  expect(bad).toEqual([]);
  expect(deaths).toBeGreaterThan(seeds / 2);
}, 900_000);
