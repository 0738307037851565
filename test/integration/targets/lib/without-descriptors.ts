// Probes where this process has no descriptor left, and writes why each was not sent.
import { openSync } from 'node:fs';
import { monitorEventLoop } from '../../../../agent/platform/event-loop.js';
import { parseTargetsFile } from '../../../../agent/targets/definition/targets-file.js';
import { createTargetProber } from '../../../../agent/targets/probers/create-target-prober.js';
import { probeOnce } from './probe-once.js';

const targets = await parseTargetsFile(`{"targets": [
  {"name": "tcp", "tcp": "127.0.0.1:9"},
  {"name": "http", "http": {"url": "http://127.0.0.1:9/"}},
  {"name": "dns", "dns": {"query": "a.example", "servers": ["127.0.0.1:9"]}}
]}`);
const eventLoop = monitorEventLoop();
const probers = await Promise.all(
  targets.map((target) =>
    createTargetProber(target, {
      eventLoop,
      openIcmp: () => Promise.reject(new Error('not used')),
      thresholds: { failures: 3, recovery: 2 },
    }),
  ),
);
const ends: Record<string, string> = {};
try {
  for (;;) openSync('/dev/null', 'r');
} catch {
  // No descriptor is left.
}
for (const [index, prober] of probers.entries()) {
  const sample = await probeOnce(prober, 500);
  ends[targets[index]?.name ?? ''] =
    sample.outcome === 'not-sent' ? sample.reason : JSON.stringify(sample);
}
process.stdout.write(JSON.stringify(ends), () => process.exit(0));
