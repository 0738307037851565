import type { Sample } from '../../model/sample.js';
import { OpenProbes, type OpenProbe } from './open-probes.js';
import { resolveHost } from './resolve-host.js';
import type { TargetProber, TargetProberOptions } from './target-prober.js';
import { unknownProber } from './unknown-prober.js';

/** Sends echoes by the engine of this process, which others use too, and which stays open. */
export async function createIcmpProber(
  host: string,
  options: TargetProberOptions,
): Promise<TargetProber> {
  const engine = await options.openIcmp();
  if (!('prober' in engine)) return unknownProber(engine.unavailable);
  const { prober } = engine;
  const open = new OpenProbes(options.eventLoop);

  async function run(probe: OpenProbe): Promise<void> {
    const resolved = await resolveHost(host, probe, options);
    if (!probe.isOpen()) return;
    if ('fault' in resolved) {
      probe.end(resolved.fault);
      return;
    }
    const path = { node: host, plane: 'host', ip: resolved.ip } as const;
    const settle = (sample: Sample): void => probe.end(sample);
    probe.onEnd(prober.probe(path, probe.remainingMs(), settle));
  }

  return {
    unknownBecause: undefined,
    probe: (_, timeoutMs, settle) => open.start(timeoutMs, settle, run),
    answer: () => ({}),
    servers: () => [],
    close: () => open.close(),
  };
}
