import type {
  ThroughputDirection,
  ThroughputLine,
  ThroughputTest,
} from '../../../api/schema/v1/throughput.js';
import { keptThroughputTests } from '../../../api/schema/v1/throughput-limits.js';

type Growing = { -readonly [Key in keyof ThroughputTest]: ThroughputTest[Key] };

/** The last throughput tests that this agent was asked for, the newest first. */
export class RecentTests {
  readonly #tests: Growing[] = [];

  get tests(): readonly ThroughputTest[] {
    return this.#tests;
  }

  /** Passes on the lines of a test, and remembers what they say. */
  async *keep(
    lines: AsyncIterable<ThroughputLine>,
    at: string,
  ): AsyncGenerator<ThroughputLine, void, undefined> {
    let test: Growing | undefined;
    let isOver = false;
    try {
      for await (const line of lines) {
        switch (line.type) {
          case 'begin': {
            const { node, seconds, bytes, streams } = line;
            test = { at, node, seconds, bytes, streams, directions: [] };
            this.#tests.unshift(test);
            this.#tests.length = Math.min(this.#tests.length, keptThroughputTests);
            break;
          }
          case 'direction': {
            const measured: ThroughputDirection = { ...line };
            delete measured['type'];
            test?.directions.push(measured);
            break;
          }
          case 'end':
            if (test && line.endpointToHost) test.endpointToHost = line.endpointToHost;
            break;
          case 'error':
            if (test) test.error = line.text;
        }
        isOver = line.type === 'end' || line.type === 'error';
        yield line;
      }
    } finally {
      if (test && !isOver) test.error = 'interrupted';
    }
  }
}
