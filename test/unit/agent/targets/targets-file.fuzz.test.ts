import { expect, test } from 'vitest';
import { maxTargets, targetNamePattern, type Target } from '../../../../agent/model/target.js';
import { ConfigError } from '../../../../agent/platform/errors.js';
import { parseTargetsFile } from '../../../../agent/targets/definition/targets-file.js';
import { mutate, Random } from '../../../fuzz/random.js';
import { fuzzScale } from '../../../fuzz/scale.js';

const yaml = `# a comment
targets:
  - name: registry
    http: {url: "https://registry.example/v2/", expectStatus: [200, 401], headersFile: /etc/headers}
  - &x
    name: dns
    dns: {query: intranet.example, type: A, servers: ["198.51.100.53", "[2001:db8::1]:54"], expect: [198.51.100.80]}
    interval: 30s
  - {name: database, tcp: "db.example:5432", from: host}
  - {name: gateway, icmp: 198.51.100.254, timeout: 500ms}
`;
const json = JSON.stringify({
  targets: [
    { name: 'registry', http: { url: 'https://registry.example/v2/', method: 'HEAD' } },
    { name: 'database', tcp: '[2001:db8::1]:5432', from: 'endpoint' },
  ],
});

/** The reader gives valid targets, or refuses in one short line that a terminal can show. */
async function readOrRefuse(text: string): Promise<readonly Target[] | string> {
  try {
    const targets = await parseTargetsFile(text);
    expect(targets.length).toBeLessThanOrEqual(maxTargets);
    for (const { name, from, intervalMs, timeoutMs, probe } of targets) {
      expect(name).toMatch(targetNamePattern);
      expect(from.length).toBeGreaterThan(0);
      expect(timeoutMs).toBeLessThanOrEqual(intervalMs);
      if (probe.kind === 'http') expect(new URL(probe.http.url).username).toBe('');
      if (probe.kind === 'tcp') expect(probe.tcp.port % 65536).toBe(probe.tcp.port);
    }
    return targets;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,400}$/u);
    return error.message;
  }
}

test.each([
  ['YAML', yaml],
  ['JSON', json],
])('a targets file in %s with random changes is read or refused, and no more', async (_, text) => {
  expect(await readOrRefuse(text)).toBeTypeOf('object');
  const random = new Random(7);
  const outcomes = new Set<string>();
  for (let round = 0; round < fuzzScale(100); round++) {
    outcomes.add(typeof (await readOrRefuse(mutate(Buffer.from(text), random).toString('utf8'))));
  }
  expect(outcomes).toEqual(new Set(['object', 'string']));
});
