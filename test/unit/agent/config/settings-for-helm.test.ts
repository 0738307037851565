import { describe, expect, test } from 'vitest';
import { formOf } from '../../../../agent/config/parsers.js';
import { listenHostForm } from '../../../../agent/config/setting-form.js';
import { parseListenAddress } from '../../../../agent/config/listen-address.js';
import { settingEntries, settings, type SettingName } from '../../../../agent/config/settings.js';
import { settingsForHelm } from '../../../../agent/config/settings-for-helm.js';

const { schemas, forms } = settingsForHelm();

/** Whether the text fits the pattern by which the chart's templates check a setting. */
const fits = (name: SettingName, text: string) =>
  new RegExp(formOf(settings[name].schema).pattern ?? '', 'u').test(text);
const isTaken = (name: SettingName, text: string) => settings[name].schema.safeParse(text).success;

const texts: Partial<Record<SettingName, readonly string[]>> = {
  'cluster-name': ['a', 'A_b-c.9', 'a/b', 'a b', '', 'x'.repeat(253), 'x'.repeat(254)],
  'node-name': ['a', 'c/a', 'c/d/a', '/', 'ä'],
  'endpoint-namespace': ['a', 'a-b', 'A', '-a', 'a'.repeat(64)],
  'socket-group': ['wheel', '0', 'a b', 'x'.repeat(65)],
  'icmp-interval': ['50ms', '1h', '1m30s', '0.5s', '1.5.5s', '1', '-1s', '1S', '1 s'],
  'listen-address': [
    ...['10.0.0.1', '0.0.0.0', '255.255.255.255', '256.0.0.1', '01.2.3.4', '1.2.3'],
    ...['::', '::1', '1::', '1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7::', '::2:3:4:5:6:7:8', '1::8'],
    ...['1:2:3:4:5:6:7', '1:2:3:4:5:6:7:8:9', '1::2::3', '12345::', ':::', ':1', '1:', '::g'],
    ...['::ffff:1.2.3.4', '1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:7:1.2.3.4', '1::1.2.3.4'],
    ...['::1%lo', '[::1]', '10.0.0.1, ::1', '10.0.0.1,,::1', ' 10.0.0.1 ', '10.0.0.1;::1'],
  ],
  'mesh-source': ['10.0.0.0/28', '10.0.0.0/33', '::/0', '::/128', '::/129', '10.0.0.0/', '/8', '1'],
  'api-allowed-host': ['a', 'a.b', 'a_b.c', 'A.', '-a', 'a-', 'a:80', 'a..b', 'x'.repeat(64)],
  'api-cors-origin': ['https://a.example', 'http://a:3000', 'ftp://a', 'https://a/b', 'a', '*'],
  cluster: ['a=/f', 'a=/f,b=/g', 'a', '=f', 'a='],
};

describe('the patterns for the chart', () => {
  test.each(Object.entries(texts) as [SettingName, readonly string[]][])(
    'take of %s what the agent takes, and nothing that looks otherwise',
    (name, list) => {
      expect(list.filter((text) => fits(name, text))).toEqual(
        list.filter((text) => isTaken(name, text)),
      );
    },
  );

  test('leave to the agent what has no pattern: what a host name may not be as a whole', () => {
    for (const text of ['10.0.0.1', 'x.'.repeat(130)]) {
      expect([fits('api-allowed-host', text), isTaken('api-allowed-host', text)]).toEqual([
        true,
        false,
      ]);
    }
  });

  test.each(['localhost', '127.0.0.2', '[::1]', '::1', '999.999.1.1', 'node1', '', '[1.2.3.4]'])(
    'take %j as an address to listen on if the agent does',
    (host) => {
      const isHost = host !== '' && parseListenAddress(`${host}:1`) !== undefined;
      expect(new RegExp(listenHostForm.pattern, 'u').test(host)).toBe(isHost);
    },
  );
});

test('every setting has a schema, and every text that is checked a pattern that says what was expected', () => {
  expect(Object.keys(schemas)).toEqual(settingEntries.map(([name]) => name));
  for (const name of Object.keys(texts)) {
    expect(forms.settings[name]?.expected, name).toMatch(/^(a|the|one|NAME)\b/);
  }
});

test('a schema takes the default of its setting', () => {
  for (const [name, { default: value, schema }] of settingEntries) {
    const words = (formOf(schema).schema as { enum?: readonly unknown[] }).enum;
    if (value !== undefined && words !== undefined) expect(words, name).toContain(value);
  }
});

test('a word that YAML 1.1 reads as true or false is taken as the word', () => {
  const { mesh, 'icmp-engine': engine } = forms.settings;
  expect([mesh?.fromYaml11, engine?.fromYaml11]).toEqual([
    { true: 'on', false: 'off' },
    { false: 'off' },
  ]);
  expect(schemas['icmp-engine']).toMatchObject({
    enum: ['auto', 'kernel', 'net-ping', 'off', false],
  });
});
