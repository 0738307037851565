import type { IncomingMessage } from 'node:http';
import { formatAgentAddress } from './address.js';
import { answerError, ApiError, invalidResponse } from './api-error.js';
import type { ClientOptions } from './exchange.js';

const maxLineLength = 1024 * 1024;

/** The lines of an answer that are not empty. The connection closes when the loop ends. */
export async function* linesOf(
  answer: IncomingMessage,
  { address, signal }: ClientOptions,
  silenceMs: number,
): AsyncGenerator<string, void, undefined> {
  const where = formatAgentAddress(address);
  const cancel = (): void => void answer.destroy(new ApiError('cancelled', 'cancelled'));
  signal?.addEventListener('abort', cancel, { once: true });
  const timer = setTimeout(() => {
    answer.destroy(new ApiError('timeout', `${where} was silent for ${silenceMs} ms`));
  }, silenceMs);
  let rest = '';
  try {
    for await (const chunk of answer.setEncoding('utf8') as AsyncIterable<string>) {
      timer.refresh();
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > maxLineLength) {
        throw invalidResponse(where, `a line of more than ${maxLineLength} characters`);
      }
      for (const line of lines) if (line !== '') yield line;
    }
  } catch (error) {
    throw error instanceof ApiError ? error : answerError(error as Error, address);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
    answer.destroy();
  }
}
