import type * as z from 'zod';
import type { PathTestLines, PathTestName, PathTestRequest } from '../schema/v1/path-tests.js';
import { formatAgentAddress } from './address.js';
import { cutMidway } from './api-error.js';
import { openAnswer, parseJson, validated, type ClientOptions } from './exchange.js';
import { linesOf } from './lines.js';

/** A test says something every few seconds. */
const silenceMs = 30_000;

/** One line of a test as JSON, and parsed; undefined for what only a newer agent says. */
export interface ReceivedLine<Line> {
  readonly json: string;
  readonly line: Line | undefined;
}

/**
 * Makes the agent test a path, and yields what it says as it comes. The test ends when the loop over it
 * ends.
 * @throws ApiError if there is no valid answer, or the signal is aborted
 */
export async function* readPathTest<Test extends PathTestName>(
  options: ClientOptions,
  test: Test,
  request: PathTestRequest,
): AsyncGenerator<ReceivedLine<PathTestLines[Test]>, void, undefined> {
  const { pathTestLineSchemas } = await import('../schema/v1/path-tests.js');
  const schema: z.ZodType<PathTestLines[Test]> = pathTestLineSchemas[test];
  yield* readTest(options, { path: `/v1/${test}`, request, schema, silenceMs });
}

export interface TestCall<Line> {
  readonly path: string;
  readonly request: object;
  readonly schema: z.ZodType<Line>;
  /** So long nothing may be said. */
  readonly silenceMs: number;
}

/**
 * Makes the agent begin a test, and yields what it says as it comes.
 * @throws ApiError if there is no valid answer, or the signal is aborted
 */
export async function* readTest<Line extends { readonly type: string }>(
  options: ClientOptions,
  { path, request, schema, silenceMs }: TestCall<Line>,
): AsyncGenerator<ReceivedLine<Line>, void, undefined> {
  const where = formatAgentAddress(options.address);
  const body = JSON.stringify(request);
  const answer = await openAnswer(options, path, 'application/x-ndjson', body);
  let isOver = false;
  for await (const json of linesOf(answer, options, silenceMs)) {
    const parsed = parseJson(json, where);
    const line = isKnown(parsed) ? validated(parsed, schema, where) : undefined;
    isOver ||= line?.type === 'end' || line?.type === 'error';
    yield { json, line };
  }
  if (!isOver) throw cutMidway(options.address);
}

const types: readonly unknown[] = ['begin', 'hop', 'echo', 'round', 'direction', 'end', 'error'];

function isKnown(line: unknown): boolean {
  if (typeof line !== 'object' || line === null || !('type' in line)) return true;
  return types.includes(line.type);
}
