import { request } from 'node:http';
import { json } from 'node:stream/consumers';

const timeoutMs = 3000;

/**
 * The JSON that a GET on a unix socket is answered with. Knows nothing of the project's own client.
 * @throws Error where there is no answer in time, or one that is not 200 or no JSON
 */
export function getJson(socketPath: string, path: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const options = { socketPath, path, agent: false, signal: AbortSignal.timeout(timeoutMs) };
    const call = request(options, (response) => {
      if (response.statusCode === 200) json(response).then(resolve, reject);
      else reject(new Error(`${path}: status ${response.statusCode ?? 0}`));
    });
    call.once('error', reject);
    call.end();
  });
}
