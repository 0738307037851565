import { formatAgentAddress } from './address.js';
import { answerError, ApiError, invalidResponse } from './api-error.js';
import { openAnswer, type ClientOptions } from './exchange.js';

/** Every report begins like this, so a body of something else is told from it. */
const beginning = '{"reportVersion":';

/**
 * Yields the bytes of a report as they arrive. The deadline is for all of it.
 * @throws ApiError if there is no whole report
 */
export async function* readReport(
  options: ClientOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { address, signal, timeoutMs } = options;
  const where = formatAgentAddress(address);
  const answer = await openAnswer(options, '/v1/report', 'application/json');
  const stop = (error: ApiError): void => void answer.destroy(error);
  const cancel = (): void => stop(new ApiError('cancelled', 'cancelled'));
  signal?.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(() => {
    stop(new ApiError('timeout', `${where} did not send all within ${timeoutMs} ms`));
  }, timeoutMs);
  let head: Buffer | undefined = Buffer.alloc(0);
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (!head) {
        yield chunk;
        continue;
      }
      head = Buffer.concat([head, chunk]);
      if (head.length < beginning.length) continue;
      checkBeginning(head, where);
      yield head;
      head = undefined;
    }
    if (head) checkBeginning(head, where);
  } catch (error) {
    throw error instanceof ApiError ? error : answerError(error as Error, address);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    answer.destroy();
  }
}

function checkBeginning(head: Buffer, where: string): void {
  if (head.toString('latin1', 0, beginning.length) === beginning) return;
  throw invalidResponse(where, 'a body that is no report');
}
