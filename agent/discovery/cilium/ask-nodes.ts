import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

const maxBytes = 256 << 20;

/**
 * Asks a Cilium agent on its unix socket for what changed since the last answer with this client
 * id; 0 asks for everything. Resolves with the answer's text.
 * @throws Error where there is no answer, or none that could be one
 */
export async function askNodes(
  socketPath: string,
  clientId: number,
  signal: AbortSignal,
): Promise<string> {
  const headers = { host: 'localhost', accept: 'application/json', 'client-id': clientId };
  const path = '/v1/cluster/nodes';
  const asked = request({ socketPath, path, headers, signal, agent: false });
  const answered = once(asked, 'response') as Promise<[IncomingMessage]>;
  // `once` no longer listens when the request fails later.
  asked.on('error', () => undefined);
  asked.end();
  const [answer] = await answered;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > maxBytes) throw new Error(`expected at most ${maxBytes} bytes, got more`);
  }
  if (answer.statusCode !== 200) throw new Error(`HTTP ${answer.statusCode ?? 0}`);
  return Buffer.concat(parts).toString();
}
