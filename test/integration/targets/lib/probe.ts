import { afterAll, afterEach, beforeAll } from 'vitest';
import { monitorEventLoop, type EventLoop } from '../../../../agent/platform/event-loop.js';
import { parseTargetsFile } from '../../../../agent/targets/definition/targets-file.js';
import { createTargetProber } from '../../../../agent/targets/probers/create-target-prober.js';
import type {
  TargetProber,
  TargetProberOptions,
} from '../../../../agent/targets/probers/target-prober.js';
import { probeOnce } from './probe-once.js';

/** Makes probers of targets, and closes them after each test. */
export function useProbers() {
  let eventLoop: EventLoop;
  const probers: TargetProber[] = [];
  beforeAll(() => (eventLoop = monitorEventLoop()));
  afterAll(() => eventLoop.stop());
  afterEach(() => {
    for (const prober of probers.splice(0)) prober.close();
  });
  return async (text: string, more: Partial<TargetProberOptions> = {}): Promise<TargetProber> => {
    const [target] = await parseTargetsFile(`targets: [{name: a, ${text}}]`);
    if (!target) throw new Error('there is no target');
    const prober = await createTargetProber(target, {
      eventLoop,
      openIcmp: () => Promise.resolve({ unavailable: 'ICMP is not used here' }),
      thresholds: { failures: 3, recovery: 2 },
      ...more,
    });
    probers.push(prober);
    return prober;
  };
}

/** The end of a probe in short: `reply`, or the kind of its failure, or why it was not sent. */
export async function endOf(prober: TargetProber, timeoutMs?: number): Promise<string> {
  const sample = await probeOnce(prober, timeoutMs);
  if (sample.outcome === 'failure') return sample.kind;
  return sample.outcome === 'reply' ? 'reply' : `not-sent: ${sample.reason}: ${sample.detail}`;
}
