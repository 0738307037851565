import type { ThroughputLine, ThroughputRequest } from '../schema/v1/throughput.js';
import type { ClientOptions } from './exchange.js';
import { readTest, type ReceivedLine } from './path-tests.js';

/** What comes between two measurements takes no longer, beside the time that one was given. */
const silenceMs = 30_000;

/**
 * Makes the agent measure what gets through to a node, and yields what it says as it comes. The test ends when the loop
 * over it ends.
 * @throws ApiError if there is no valid answer, or the signal is aborted
 */
export async function* readThroughputTest(
  options: ClientOptions,
  request: ThroughputRequest,
): AsyncGenerator<ReceivedLine<ThroughputLine>, void, undefined> {
  const { throughputLineSchema: schema } = await import('../schema/v1/throughput.js');
  yield* readTest(options, {
    path: '/v1/throughput',
    request,
    schema,
    silenceMs: silenceMs + request.seconds * 1000,
  });
}
