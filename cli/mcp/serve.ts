import { once } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpOptions } from './server.js';

/** A request of a client has some hundred bytes. */
const maxRequestBytes = 1024 * 1024;

export interface ServeOptions extends McpOptions {
  readonly input: AsyncIterable<string | Uint8Array>;
  readonly output: { write(text: string): unknown };
  readonly signal: AbortSignal;
}

/**
 * Serves one client on standard input and output, until the input ends or the signal is aborted. What it
 * was asked before the end of the input is still answered.
 */
export async function serveMcp(options: ServeOptions): Promise<void> {
  const { server, idle } = createMcpServer(options);
  const input = Readable.from(options.input, { objectMode: false });
  const output = new Writable({
    decodeStrings: false,
    write(text: string, _, done) {
      options.output.write(text);
      done();
    },
  });
  const transport = new StdioServerTransport(input, output, { maxBufferSize: maxRequestBytes });
  await server.connect(transport);
  const closed = new Promise<void>((resolve) => (server.server.onclose = resolve));
  const ended = once(input, 'end').catch(() => undefined);
  const aborted = new Promise((resolve) => {
    options.signal.addEventListener('abort', resolve, { once: true });
  });
  await Promise.race([ended, closed, aborted]);
  await idle();
  // An answer is written in the turn in which its tool is done.
  await nextTurn();
  await server.close();
}
