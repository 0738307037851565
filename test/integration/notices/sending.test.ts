import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseNotifyFile } from '../../../agent/notices/definition/notify-file.js';
import type { Receiver } from '../../../agent/notices/definition/receiver.js';
import { sendNotice } from '../../../agent/notices/sending/send-notice.js';
import { useFolder } from '../../resources/folder.js';
import { freePort } from '../lib/free-port.js';
import { ok, ReceiverServer, status } from './lib/receiver-server.js';
import { makeNotice } from '../../rows/make-notice.js';

const folder = useFolder();

const secret = 'a secret of more than sixteen bytes';
const secretFile = join(folder, 'secret');
writeFileSync(secretFile, `${secret}\n`);

const notice = makeNotice();

let server: ReceiverServer;
beforeEach(async () => {
  server = await new ReceiverServer().listen();
});
afterEach(() => server.close());

function receiver(more: object = {}): Receiver {
  const one = { name: 'a', type: 'webhook', url: `${server.url}/hook/sesame?key=sesame`, ...more };
  const [read] = parseNotifyFile(JSON.stringify({ receivers: [one] }));
  if (!read) throw new Error('expected a receiver');
  return read;
}

const send = (more: object = {}, limitMs = 5000, signal = new AbortController().signal) =>
  sendNotice(notice, receiver(more), signal, limitMs);

const notTaken = (answer: string) => ({ isTaken: false, answer });

describe('a webhook', () => {
  test('gets JSON that is signed over time and body', async () => {
    expect(await send({ secretFile })).toEqual({ isTaken: true, answer: '204' });
    const [post] = server.posts;
    const { 'meshprobe-timestamp': time, 'meshprobe-signature': signed } = post?.headers ?? {};
    const hmac = createHmac('sha256', secret).update(`${String(time)}.${post?.body ?? ''}`);
    expect(signed).toBe(`v1=${hmac.digest('hex')}`);
    expect(Math.abs(Number(time) * 1000 - Date.now())).toBeLessThan(60_000);
    expect(post?.path).toBe('/hook/sesame?key=sesame');
    expect(post?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(post?.body ?? '')).toEqual({ version: 1, ...notice });
  });

  test('without a secret is not signed, and gets its own headers', async () => {
    const headersFile = join(folder, 'headers');
    writeFileSync(headersFile, 'Authorization: Bearer sesame-token\n');
    expect((await send({ headersFile })).isTaken).toBe(true);
    expect(server.posts[0]?.headers['meshprobe-signature']).toBeUndefined();
    expect(server.posts[0]?.headers.authorization).toBe('Bearer sesame-token');
  });

  test.each([200, 201, 202, 299])('takes a message by any 2xx: %i', async (code) => {
    server.answer = status(code, 'x'.repeat(100_000));
    expect(await send()).toEqual({ isTaken: true, answer: String(code) });
  });

  test.each([
    [400, 'bad\n\u001b[31mrequest', '400: bad \\x1b[31mrequest'],
    [404, '', '404'],
    [410, 'gone', '410: gone'],
    [503, 'y'.repeat(1_000_000), `503: ${'y'.repeat(160)}…`],
  ])('that answers %i does not take it, and what it says is short', async (code, body, answer) => {
    server.answer = status(code, body);
    expect(await send()).toEqual(notTaken(answer));
  });

  test('that redirects does not take it, and nothing is sent elsewhere', async () => {
    const other = await new ReceiverServer().listen();
    for (const code of [301, 302, 307, 308]) {
      server.answer = status(code, '', { location: other.url });
      expect(await send()).toEqual(notTaken(`${code}: a redirect is not followed`));
    }
    expect(other.posts).toEqual([]);
    await other.close();
  });

  test('that says again what it was sent shows no secret', async () => {
    server.answer = (response, { path, headers }) =>
      void response.writeHead(500).end(`${path} ${String(headers['authorization'])} ${secret}`);
    const headersFile = join(folder, 'echoed');
    writeFileSync(headersFile, 'Authorization: Bearer sesame-token\n');
    const { answer } = await send({ secretFile, headersFile });
    expect(answer).toBe('500: ... ... ...');
  });

  test.each([
    ['the beginning of one', `unknown: ${secret.slice(0, 12)}`, '500: unknown: ...'],
    ['one at the edge of what is read', `${'y'.repeat(1015)}${secret}`, undefined],
    ['one at the edge of what is shown', `${'y'.repeat(150)} ${secret}`, undefined],
    ['many', `${secret} `.repeat(40), undefined],
  ])('that says %s shows no piece of it', async (_, body, shown) => {
    server.answer = status(500, body);
    const { answer } = await send({ secretFile });
    if (shown !== undefined) expect(answer).toBe(shown);
    expect(answer).not.toMatch(/a sec|secret|more|sixteen/);
  });

  test('that hangs before, in or after its head is given up, unless its head said 2xx', async () => {
    server.answer = () => undefined;
    expect(await send({}, 200)).toEqual(notTaken('no answer within 0.2 s'));
    server.answer = (response) => void response.writeHead(500).write('slow');
    expect(await send({}, 200)).toEqual(notTaken('500, and no end of its text within 0.2 s'));
    server.answer = (response) => void response.writeHead(200).write('slow');
    expect(await send({}, 200)).toEqual({ isTaken: true, answer: '200' });
  });

  test('that is slow takes it within the time', async () => {
    server.answer = (response, post, count) => {
      setTimeout(() => ok(response, post, count), 300);
    };
    expect(await send({}, 5000)).toEqual({ isTaken: true, answer: '204' });
  });

  test('that refuses, breaks off or speaks something else says so without its address', async () => {
    const refused = `http://127.0.0.1:${await freePort()}/sesame`;
    expect(await send({ url: refused })).toEqual(notTaken('connection refused'));
    server.answer = (response) => void response.socket?.destroy();
    expect(await send()).toEqual(notTaken('the connection was closed before an answer came'));
    const raw = createServer((socket: Socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => raw.once('listening', resolve));
    const { port } = raw.address() as { port: number };
    expect(await send({ url: `http://127.0.0.1:${port}/` })).toEqual(
      notTaken('the answer is not HTTP'),
    );
    expect(await send({ url: `https://127.0.0.1:${port}/` })).toMatchObject({ isTaken: false });
    expect(await send({ url: 'http://nowhere.invalid/' })).toMatchObject({
      isTaken: false,
      answer: expect.stringMatching(
        /^the name of its host (is not known|could not be asked for)$/,
      ) as string,
    });
    raw.close();
  });

  test('is not asked where its secret cannot be read', async () => {
    const gone = join(folder, 'gone');
    expect(await send({ secretFile: gone })).toEqual(
      notTaken(`receiver a: secretFile: ${gone}: there is no such file`),
    );
    expect(server.posts).toEqual([]);
  });

  test('ends at once when the agent stops', async () => {
    const stopping = new AbortController();
    server.answer = () => stopping.abort();
    expect(await send({}, 60_000, stopping.signal)).toEqual(notTaken('the agent stops'));
  });
});
