import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { HostMonitor } from '../../../../agent/host/host-monitor.js';
import { hostSources } from '../../../../agent/host/sources.js';
import { hostSigns } from '../../../../agent/model/row-host.js';
import { hostFixtures, kernelFiles } from './kernel-files.js';

/** Those that no file of the kernel shows. */
const ofThisAgent = ['ports-exhausted', 'clock-offset'];

/** What is said to be missing after the first reading of a folder. */
async function missingIn(folder: string) {
  const sources = hostSources({
    proc: join(folder, 'proc'),
    sys: join(folder, 'sys'),
    interfaces: () => new Map([['eth0', '02:00:00:00:00:01']]),
  });
  const monitor = new HostMonitor({
    clock: { nowMs: () => 0, wallMs: () => 0, after: () => () => undefined },
    plane: 'host',
    sources,
    facts: [],
    onNews: () => undefined,
  });
  monitor.start();
  await vi.waitFor(() => expect(monitor.missing().length).toBeGreaterThan(0));
  return monitor.missing();
}

describe('what a kernel does not show is said', () => {
  test.each([
    ['5.4', ['link-speed', 'icmp-limited']],
    ['5.15', ['link-speed', 'icmp-limited']],
    ['6.18', ['link-speed']],
  ])('of %s: %j', async (kernel, signs) => {
    const missing = await missingIn(kernelFiles(kernel));
    expect(missing.flatMap((one) => one.signs)).toEqual(signs);
    for (const { files } of missing) expect(files).toMatch(/^\/(?:proc|sys)\//);
  });

  test('of each sign that is read from files, where no file is there', async () => {
    const missing = await missingIn(join(hostFixtures, 'none'));
    const signs = missing.flatMap((one) => one.signs);
    expect([...signs, ...ofThisAgent].sort()).toEqual([...hostSigns].sort());
  });
});
