import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../../agent/config/config.js';
import { ConfigError } from '../../../../agent/platform/errors.js';
import { mutate, Random } from '../../../fuzz/random.js';
import { fuzzScale } from '../../../fuzz/scale.js';
import { useFolder } from '../../../resources/folder.js';

const valid = `node-name: c/n1
cluster-name: c
nodes-file: /nodes.yaml
probe-port: 4240
listen-address: [127.0.0.1, "::1"]
icmp-interval: 10s
api-listen: "[::1]:4242"
log-level: info
`;

const folder = useFolder();

/** Whether the configuration was accepted. A refusal must be lines that a terminal can show. */
function isTaken(text: string | Buffer): boolean {
  const config = join(folder, 'agent.yaml');
  writeFileSync(config, text);
  try {
    loadConfig({ config }, {});
    return true;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).toMatch(/^(?:[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,400}\n?)+$/u);
    return false;
  }
}

test('a configuration file with random changes is taken or refused, and never anything else', () => {
  const random = new Random(7);
  const outcomes = Array.from({ length: fuzzScale(60) }, () =>
    isTaken(mutate(Buffer.from(valid), random)),
  );
  expect(new Set(outcomes)).toEqual(new Set([true, false]));
});

test.each([
  ['nested without end', '['.repeat(fuzzScale(20_000))],
  ['with keys of a prototype', 'nodes-file: x\n__proto__: {a: 1}\nconstructor: 1\ntoString: 2'],
  ['with an unknown alias', 'nodes-file: *\u001b31m'],
  ['with a control character as a key', '"\\e[31m\\u202e": 1'],
  ['with a control character where none may be', 'nodes-file: @\u001b[31m'],
])('a configuration file %s is refused', (_, text) => {
  expect(isTaken(text)).toBe(false);
});
