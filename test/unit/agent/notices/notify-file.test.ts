import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  checkNotifyFile,
  parseNotifyFile,
} from '../../../../agent/notices/definition/notify-file.js';
import { useFolder } from '../../../resources/folder.js';

const folder = useFolder();

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const one = (rest: string): string => `receivers: [{name: a, type: webhook, ${rest}}]`;
const url = (text: string): string => one(`url: ${JSON.stringify(text)}`);

describe('a notify file', () => {
  test('has receivers with all that selects', () => {
    const [ops, am, chat] = parseNotifyFile(`
receivers:
  - name: ops
    type: webhook
    url: https://hooks.example/meshprobe?x=1
    secretFile: /etc/meshprobe/secret
    severities: [broken]
    kinds: [node-down, zones]
    zones: [a, b]
    after: 1m30s
    ca: /etc/ssl/ca.pem
  - { name: am, type: alertmanager, url: 'http://198.51.100.7:9093/am', headersFile: /etc/h }
  - { name: chat, type: slack, urlFile: /etc/meshprobe/slack }
`);
    expect(ops).toEqual({
      name: 'ops',
      type: 'webhook',
      url: new URL('https://hooks.example/meshprobe?x=1'),
      secretFile: '/etc/meshprobe/secret',
      headersFile: undefined,
      caFile: '/etc/ssl/ca.pem',
      severities: new Set(['broken']),
      kinds: new Set(['node-down', 'zones']),
      zones: new Set(['a', 'b']),
      afterMs: 90_000,
    });
    expect(am).toMatchObject({
      headersFile: '/etc/h',
      severities: new Set(['broken', 'degraded']),
      kinds: undefined,
      zones: undefined,
      afterMs: 0,
    });
    expect(chat).toMatchObject({ type: 'slack', url: '/etc/meshprobe/slack' });
  });

  test('may be JSON, and a list of one may be the item itself', () => {
    const text = '{"receivers":[{"name":"a","type":"slack","urlFile":"/u","kinds":"pair"}]}';
    expect(parseNotifyFile(text)[0]?.kinds).toEqual(new Set(['pair']));
  });

  const hostile: readonly (readonly [text: string, words: string])[] = [
    ['', 'the file: expected a mapping with receivers, got null'],
    ['\0\x01\x7fELF', 'the file: expected a mapping'],
    ['- a', 'the file: expected a mapping with receivers, got a list of 1'],
    ['receivers: []', 'receivers: expected a list of 1 to 4 receivers, got an empty list'],
    ['receivers: {a: b}', 'receivers: expected a list of receivers, got a mapping'],
    [
      'receivers: [1, 2, 3, 4, 5]',
      'receivers: expected a list of 1 to 4 receivers, got a list of 5',
    ],
    ['receivers: [', 'expected YAML, got an error'],
    [
      'receivers: []\nreceivers: []',
      'expected YAML, got an error: duplicate key at line 2, column 1',
    ],
    ['{"receivers": [], "receivers": []}', 'receivers: expected this key once'],
    ['receivers: &a [*a]', 'receivers[0]: expected a mapping'],
    ['receiver: []', 'the file: expected no keys but receivers, got "receiver"'],
    ['\u202ereceivers: []', 'but receivers, got a text of 10 characters'],
    ['{"__proto__": {"receivers": []}}', 'expected no keys but receivers, got "__proto__"'],
    ['receivers: [{name: a}]', 'receivers[0].type: expected one of webhook, alertmanager, slack'],
    ['receivers: [{name: a, type: email, url: "http://b"}]', 'receivers[0].type: expected one of'],
    ['receivers: [{type: slack, urlFile: /u}]', 'receivers[0].name: expected a name'],
    ['receivers: [{name: A b, type: slack, urlFile: /u}]', 'receivers[0].name: expected a name'],
    [
      'receivers: [{name: a, type: slack, urlFile: /u}, {name: a, type: slack, urlFile: /u}]',
      'receivers[1].name: expected a name not listed before (see receivers[0].name)',
    ],
    [one('more: 1'), 'receivers[0]: expected no keys but name, type'],
    ['receivers: [{name: a, type: slack}]', 'receivers[0]: expected url or urlFile, got neither'],
    [one('url: "http://b.example", urlFile: /u'), 'expected url or urlFile, got both'],
    [one('urlFile: u'), 'receivers[0].urlFile: expected the absolute path of a file'],
    [one('url: 7'), 'receivers[0].url: expected an http or https URL, got 7'],
    [url('ftp://b.example'), 'receivers[0].url: expected an http or https URL, got a text of 15'],
    [url('http://b.example/\u0007'), 'expected a URL without spaces and control characters'],
    [url('http://b.example/\\\\evil'), 'expected a URL without spaces and control characters'],
    [url('http://u:p@b.example'), 'expected a URL without a user and password (put them into'],
    [url('http://b.example:0'), 'expected a URL with a port from 1 to 65535'],
    [url('http://b.example/#x'), 'expected a URL without a fragment'],
    [url(`http://b.example/${'x'.repeat(3000)}`), 'expected a URL of at most 2048 characters'],
    [
      one('url: "http://b.example", ca: /c'),
      'receivers[0].ca: expected it with an https URL alone',
    ],
    [one('urlFile: /u, severities: [fatal]'), 'severities[0]: expected one of broken, degraded'],
    [one('urlFile: /u, severities: []'), 'severities: expected at least one, or no such key'],
    [one('urlFile: /u, kinds: [nodes-down]'), 'kinds[0]: expected one of node-down'],
    [
      one('urlFile: /u, kinds: [pair, not-listed]'),
      'receivers[0].kinds[1]: expected one of node-down, node-isolated, agent-down',
    ],
    [one('urlFile: /u, zones: [""]'), 'zones[0]: expected a zone of 1 to 253 characters'],
    [one('urlFile: /u, zones: [7]'), 'zones[0]: expected a zone of 1 to 253 characters, got 7'],
    [one('urlFile: /u, after: 2d'), 'after: expected a duration such as 500ms, 10s or 1m30s'],
    [one('urlFile: /u, after: 25h'), 'from 0s to 24h'],
    [
      'receivers: [{name: a, type: slack, urlFile: /u, secretFile: /s}]',
      'receivers[0].secretFile: expected it with type webhook alone, got it with slack',
    ],
    [
      'receivers: [{name: a, type: slack, urlFile: /u, headersFile: /s}]',
      'receivers[0].headersFile: expected it with type webhook or alertmanager alone',
    ],
  ];
  test.each(hostile)('%j is refused with one line', (text, words) => {
    let message = '';
    try {
      parseNotifyFile(text);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain(words);
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(message.length).toBeLessThan(600);
  });

  const hook = 'https://hooks.example/T0/B0/sesame';
  const misplaced: readonly string[] = [
    `receivers: [{name: "${hook}", type: slack, urlFile: /u}]`,
    `receivers: [{name: a, type: "${hook}", urlFile: /u}]`,
    `receivers: [{name: a, type: slack, urlFile: "${hook}"}]`,
    `receivers: [{name: a, type: slack, "${hook}": /u}]`,
    `"${hook}": []`,
    `receivers: "${hook}"`,
    `receivers: ["${hook}"]`,
    hook,
    ...['secretFile', 'headersFile', 'ca', 'after', 'kinds', 'severities'].map((key) =>
      one(`urlFile: /u, ${key}: "${hook}"`),
    ),
    one(`urlFile: /u, zones: ["${hook}${'x'.repeat(300)}"]`),
    one('urlFile: /u, secretFile: sesame-0123456789'),
    one('urlFile: /u, kinds: sesame-0123456789'),
    one('urlFile: /u, after: 7355608735560873556087'),
    one('url: 7355608735560873556087'),
    `receivers: [*sesame]`,
    `receivers:\n\t- "${hook}"`,
    `receivers: [{name: a, url: "${hook}\\q"}]`,
    `receivers: @${hook}`,
    `receivers: [{name: a, type: slack, url: "${hook}"`,
    `a: 1\na: !sesame 2`,
    `{"receivers": [{"${hook}": 1, "${hook}": 2}]}`,
    `{"${hook}": 1, "${hook}": 2}`,
  ].map((text) => text.replaceAll('\\n', '\n').replaceAll('\\t', '\t'));
  test.each(misplaced)('shows nothing of a secret that stands in the wrong place: %j', (text) => {
    const words = /^(?!.*(sesame|hooks|T0|7355608)).*(expected|got)/s;
    expect(() => parseNotifyFile(text)).toThrow(words);
  });

  test('shows words that may be meant', () => {
    expect(() => parseNotifyFile(one('urlFile: /u, kinds: node-dwon'))).toThrow(/got "node-dwon"/);
    expect(() => parseNotifyFile(one('urlFile: /u, after: 2d'))).toThrow(/got "2d"/);
  });

  test('shows nothing of a URL that is refused', () => {
    for (const text of ['https://hooks.example/T0/B0/sesame x', 'hooks.example/T0/B0/sesame']) {
      expect(() => parseNotifyFile(url(text))).toThrow(/a text of \d+ characters$/);
      expect(() => parseNotifyFile(url(text))).not.toThrow(/sesame/);
    }
  });

  const checked: readonly (readonly [key: string, text: string, words: RegExp])[] = [
    ['secretFile', 'short', /receiver a: secretFile: .*at least 16 bytes, got 5$/],
    [
      'headersFile',
      'sesame',
      /receiver a: headersFile: .*line 1: expected a header as Name: value$/,
    ],
    ['urlFile', 'ftp://sesame', /receiver a: urlFile: .*http or https URL, got a text of 12/],
    ['urlFile', '', /receiver a: urlFile: .*http or https URL, got a text of 0/],
    ['ca', 'sesame', /receiver a: ca: .*expected PEM certificates, got none$/],
  ];
  test.each(checked)('is refused where its %s holds %j', (key, text, words) => {
    const path = file(key, text);
    const more = key === 'urlFile' ? '' : 'url: "https://b.example", ';
    const config = file('notify.yaml', one(`${more}${key}: ${path}`));
    expect(() => checkNotifyFile(config)).toThrow(words);
    expect(() => checkNotifyFile(config)).not.toThrow(/sesame|short/);
  });

  test('is refused where a file is not there', () => {
    const config = file('notify.yaml', one('urlFile: /nowhere/u'));
    expect(() => checkNotifyFile(config)).toThrow(
      /^notify-file: .*receiver a: urlFile: \/nowhere\/u: there is no such file$/,
    );
    expect(() => checkNotifyFile('/nowhere/n')).toThrow(/^notify-file: \/nowhere\/n: there is no/);
  });
});
