import { request } from 'node:http';
import { json } from 'node:stream/consumers';

const timeoutMs = 3000;

/**
 * Sends a GET to a unix socket and returns the JSON of the answer. It does not use the project's
 * own client.
 * @throws Error if there is no answer in time, or if it is not a 200 with JSON
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
