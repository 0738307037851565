import { Client, errors } from 'undici';

const maxBytes = 256 << 20;

/**
 * Asks a Cilium agent on its unix socket for what changed since the last answer with this client
 * id; 0 asks for everything. Resolves with the answer's text.
 * @throws Error where there is no answer, or none that could be one
 */
export async function askNodes(
  socketPath: string,
  clientId: string,
  signal: AbortSignal,
): Promise<string> {
  // The signal is the deadline.
  const client = new Client('http://localhost', {
    socketPath,
    maxResponseSize: maxBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  try {
    const { statusCode, body } = await client.request({
      method: 'GET',
      path: '/v1/cluster/nodes',
      headers: { accept: 'application/json', 'client-id': clientId },
      reset: true,
      signal,
    });
    if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`);
    return await body.text();
  } catch (error) {
    if (!(error instanceof errors.ResponseExceededMaxSizeError)) throw error;
    throw new Error(`expected at most ${maxBytes} bytes, got more`, { cause: error });
  } finally {
    void client.destroy();
  }
}
