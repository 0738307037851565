import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createApiClient,
  type ApiClient,
} from '../../../../../agent/discovery/kubernetes/api-client.js';
import {
  createKubeAccess,
  type KubeIdentity,
} from '../../../../../agent/discovery/kubernetes/kube-access.js';
import { checkCredentials } from '../../../../../agent/discovery/create-node-source.js';
import { kubeconfigText } from '../../../../doubles/api-server/kubeconfig.js';
import { newFolder } from '../../../../resources/folder.js';
import { listen } from '../../../../resources/listen.js';

let folder: string;
let server: Server | undefined;
let client: ApiClient | undefined;
let tokens: (string | undefined)[];
let handshakes: number;

const path = (name: string) => join(folder, name);
const file = (name: string, text: string) => {
  writeFileSync(path(name), text);
  return path(name);
};
const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** A self-signed certificate. */
function makeCertificate(name: string): void {
  const files = ['-keyout', path(`${name}.key`), '-out', path(`${name}.crt`)];
  const kind = [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ];
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...files, ...subject], { stdio: 'ignore' });
}

async function serve(name: string): Promise<KubeIdentity> {
  const options = {
    key: readFileSync(path(`${name}.key`)),
    cert: readFileSync(path(`${name}.crt`)),
  };
  server = createServer(options, (request, response) => {
    tokens.push(request.headers.authorization);
    response.end('{}');
  });
  server.on('secureConnection', () => handshakes++);
  const port = await listen(server);
  return { kind: 'service-account', folder, server: `https://127.0.0.1:${port}` };
}

async function get(asked: ApiClient): Promise<string> {
  let text = '';
  for await (const part of await asked.get('/x', AbortSignal.timeout(5000)))
    text += part.toString();
  return text;
}

beforeEach(() => {
  folder = newFolder();
  [tokens, handshakes] = [[], 0];
});
afterEach(() => {
  client?.close();
  server?.close();
  server?.closeAllConnections();
  [client, server] = [undefined, undefined];
});

describe('a service account', () => {
  test('asks over one connection, with its token as it is at that moment', async (context) => {
    context.skip(!hasOpenssl, 'openssl, which makes certificates, is not installed');
    makeCertificate('api');
    file('ca.crt', readFileSync(path('api.crt'), 'utf8'));
    file('token', 'first\n');
    client = createApiClient(createKubeAccess(await serve('api')));
    expect(await get(client)).toBe('{}');
    file('token', 'second\n');
    await get(client);
    expect(tokens).toEqual(['Bearer first', 'Bearer second']);
    expect(handshakes).toBe(1);
  });

  test('trusts no server but that of its authority, also when that is replaced', async (context) => {
    context.skip(!hasOpenssl, 'openssl, which makes certificates, is not installed');
    makeCertificate('api');
    makeCertificate('other');
    file('ca.crt', readFileSync(path('other.crt'), 'utf8'));
    file('token', 'secret');
    client = createApiClient(createKubeAccess(await serve('api')));
    await expect(get(client)).rejects.toThrow(/self-signed certificate|unable to verify/);
    expect(tokens).toEqual([]);
    file('ca.crt', readFileSync(path('api.crt'), 'utf8'));
    expect(await get(client)).toBe('{}');
  });
});

test('a service account that is not there yet is told and asked for again', async () => {
  const access = createKubeAccess({
    kind: 'service-account',
    folder,
    server: 'https://127.0.0.1:1',
  });
  await expect(access.forRequest()).rejects.toThrow('ENOENT');
  // TLS would take it for none, and trust every public authority.
  file('ca.crt', '\n');
  await expect(access.forRequest()).rejects.toThrow('ca.crt: it is empty');
  file('ca.crt', 'pem');
  execFileSync('mkfifo', [path('token')]);
  await expect(access.forRequest()).rejects.toThrow('token: it is no regular file');
  rmSync(path('token'));
  file('token', 'now');
  expect((await access.forRequest()).headers['Authorization']).toBe('Bearer now');
});

describe('kubeconfig files', () => {
  const accessOf = (paths: string) =>
    createKubeAccess({ kind: 'kubeconfig', paths, environment: {} });

  test('may name a token file relative to themselves', async () => {
    file('token', ' text \n');
    const paths = file('config', kubeconfigText('http://127.0.0.1:1', { tokenFile: 'token' }));
    const { server, headers } = await accessOf(paths).forRequest();
    expect(server.href).toBe('http://127.0.0.1:1/');
    expect(headers['Authorization']).toBe('Bearer text');
  });

  test('may have a user with a password', async () => {
    const user = { username: 'u', password: 'p' };
    const { headers } = await accessOf(
      file('config', kubeconfigText('http://127.0.0.1:1', user)),
    ).forRequest();
    expect(headers['Authorization']).toBe(`Basic ${Buffer.from('u:p').toString('base64')}`);
  });

  test('may have a plain http server, as kubectl proxy is one', async () => {
    const text = kubeconfigText('http://127.0.0.1:1').replace('insecure-skip-tls-verify', 'x');
    const { server } = await accessOf(file('config', text)).forRequest();
    expect(server.href).toBe('http://127.0.0.1:1/');
  });

  test('may be several, the first of which has the current context', async () => {
    const first = file('first', kubeconfigText('http://127.0.0.1:1'));
    const second = file('second', 'apiVersion: v1\nkind: Config\nclusters: []\nusers: []\n');
    const access = accessOf([first, second].join(delimiter));
    expect((await access.forRequest()).server.port).toBe('1');
  });

  test('are read again when one of them has changed', async () => {
    const first = file('config', kubeconfigText('http://127.0.0.1:1', { token: 'old' }));
    const access = accessOf([first, path('second')].join(delimiter));
    expect((await access.forRequest()).headers['Authorization']).toBe('Bearer old');
    file('config', kubeconfigText('http://127.0.0.1:22', { token: 'newer' }));
    const { server, headers } = await access.forRequest();
    expect([server.port, headers['Authorization']]).toEqual(['22', 'Bearer newer']);
  });

  test('are refused by a check where a key is of another certificate', async (context) => {
    context.skip(!hasOpenssl, 'openssl, which makes certificates, is not installed');
    makeCertificate('own');
    makeCertificate('other');
    const check = (key: string) => {
      const user = { 'client-certificate': 'own.crt', 'client-key': key };
      const paths = file('config', kubeconfigText('https://127.0.0.1:1', user));
      return checkCredentials({ kind: 'kubeconfig', paths, environment: {} });
    };
    await expect(check('other.key')).rejects.toThrow(/^kubeconfig: .*key values mismatch/);
    await check('own.key');
  });
});
