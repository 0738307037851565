import type * as z from 'zod';
import type { Client } from '../../api/client/client.js';

/** One tool of the server. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Sends packets that would not have been sent without it. */
  readonly sendsPackets: boolean;
  /**
   * Asks the agent, and resolves with what `output` describes.
   * @throws ApiError if there is no valid answer, ToolError if there is none to what was asked
   */
  readonly run: (input: unknown, client: Client) => Promise<object>;
}

/** What was asked of a tool cannot be done. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

interface Definition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  readonly sendsPackets?: boolean;
  readonly run: (input: z.output<Input>, client: Client) => Promise<z.input<Output>>;
}

/** A tool whose `run` gets what its schema has checked. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>({
  sendsPackets = false,
  run,
  ...rest
}: Definition<Input, Output>): Tool {
  return {
    ...rest,
    sendsPackets,
    run: (input, client) => run(rest.input.parse(input), client),
  };
}
