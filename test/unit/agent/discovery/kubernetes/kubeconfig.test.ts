import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readKubeconfig } from '../../../../../agent/discovery/kubernetes/kubeconfig.js';
import { useFolder } from '../../../../resources/folder.js';

const folder = useFolder();
beforeAll(() => {
  mkdirSync(join(folder, 'sub'));
});

interface Parts {
  readonly clusters?: Record<string, object>;
  readonly users?: Record<string, object>;
  readonly contexts?: Record<string, object>;
  readonly current?: string;
}

let files = 0;
function file(content: Parts | string, path = `config-${++files}`): string {
  const entries = (kind: string, of: Record<string, object> = {}) =>
    Object.entries(of).map(([name, value]) => ({ name, [kind]: value }));
  const text =
    typeof content === 'string'
      ? content
      : stringify({
          clusters: entries('cluster', content.clusters),
          users: entries('user', content.users),
          contexts: entries('context', content.contexts),
          ...(content.current !== undefined && { 'current-context': content.current }),
        });
  writeFileSync(join(folder, path), text);
  return join(folder, path);
}

const whole = (name: string, server = `https://${name}`): Parts => ({
  clusters: { [name]: { server } },
  users: { [name]: { token: name } },
  contexts: { [name]: { cluster: name, user: name } },
});
const read = (paths: string[], context?: string) => readKubeconfig(paths.join(delimiter), context);

describe('several kubeconfig files', () => {
  test('pass over a missing member and an empty one', async () => {
    const paths = [join(folder, 'missing'), file(''), file({ ...whole('a'), current: 'a' })];
    expect(await read(paths)).toEqual({ cluster: { server: 'https://a' }, user: { token: 'a' } });
  });

  test('may have the current context in a later member, for an entry of an earlier one', async () => {
    const paths = [file(whole('a')), file({ current: 'a' })];
    expect((await read(paths)).user).toEqual({ token: 'a' });
  });

  test('take the first current context, and the first entry of a name whole', async () => {
    const first = { ...whole('a', 'https://first'), current: 'a' };
    const second = { ...whole('a', 'https://second'), current: 'b' };
    second.users = { a: { token: 'second', username: 'u' } };
    expect(await read([file(first), file(second)])).toEqual({
      cluster: { server: 'https://first' },
      user: { token: 'a' },
    });
  });

  test('may be the same file twice', async () => {
    const path = file({ ...whole('a'), current: 'a' });
    expect((await read([path, path])).user).toEqual({ token: 'a' });
  });

  test('name further files from their own folder', async () => {
    const path = file(
      {
        clusters: { a: { server: 'https://a', 'certificate-authority': 'ca.crt' } },
        users: {
          a: { tokenFile: '../token', 'client-key': '/key', exec: { command: './plugin' } },
          b: { exec: { command: 'plugin' } },
        },
        contexts: { a: { cluster: 'a', user: 'a' }, b: { cluster: 'a', user: 'b' } },
        current: 'a',
      },
      'sub/config',
    );
    expect(await read([path])).toEqual({
      cluster: { server: 'https://a', 'certificate-authority': join(folder, 'sub', 'ca.crt') },
      user: {
        tokenFile: join(folder, 'token'),
        'client-key': '/key',
        exec: { command: join(folder, 'sub', 'plugin') },
      },
    });
    expect((await read([path], 'b')).user).toEqual({ exec: { command: 'plugin' } });
  });
});

test('a context that is asked for counts for more than the current one', async () => {
  const paths = [file({ ...whole('a'), current: 'a' }), file(whole('b'))];
  expect((await read(paths, 'b')).cluster).toEqual({ server: 'https://b' });
});

test('a context without a user asks as nobody', async () => {
  const parts = { ...whole('a'), contexts: { a: { cluster: 'a' } }, current: 'a' };
  expect((await read([file(parts)])).user).toEqual({});
});

describe('a kubeconfig is refused with what was expected and what was got', () => {
  test.each<[string, Parts | string, string | undefined, string]>([
    [
      'empty',
      '',
      undefined,
      'expected a current-context in "PATH", or --context, got neither (contexts: none)',
    ],
    ['a list', '- a', undefined, 'expected a kubeconfig in "PATH", got no mapping but a list of 1'],
    ['no YAML', 'a: [', undefined, 'expected a kubeconfig in "PATH", got an error: '],
    [
      'nested too deep',
      '['.repeat(20_000),
      undefined,
      'expected a kubeconfig in "PATH", got an error: nested deeper than 100 levels',
    ],
    [
      'without a current context',
      whole('a'),
      undefined,
      'expected a current-context in "PATH", or --context, got neither (contexts: "a")',
    ],
    [
      'whose current context is missing',
      { ...whole('a'), current: 'b' },
      undefined,
      'expected as current-context one in "PATH" (contexts: "a"), got "b"',
    ],
    [
      'without the context asked for',
      whole('a'),
      'x\n',
      'expected as context one in "PATH" (contexts: "a"), got "x\\x0a"',
    ],
    [
      'without the cluster of its context',
      { ...whole('a'), clusters: {}, current: 'a' },
      undefined,
      'expected a cluster "a" in "PATH" for context "a", got none of that name',
    ],
    [
      'without the user of its context',
      { ...whole('a'), users: {}, current: 'a' },
      undefined,
      'expected a user "a" in "PATH" for context "a", got none of that name',
    ],
  ])('where it is %s', async (_, content, context, expected) => {
    const path = file(content);
    const error = await read([path], context).catch((caught: unknown) => caught as Error);
    const shown = path.length > 60 ? `${path.slice(0, 60)}… (${path.length} characters)` : path;
    expect((error as Error).message).toContain(expected.replace('PATH', shown));
  });

  test('where none of the files is there', async () => {
    await expect(readKubeconfig('/nowhere/a:/nowhere/b')).rejects.toThrow(
      'expected a kubeconfig in "/nowhere/a:/nowhere/b", got no such file',
    );
  });

  test('where a file is a folder', async () => {
    await expect(readKubeconfig(folder)).rejects.toThrow('expected a readable kubeconfig in');
  });
});
