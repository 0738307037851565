import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type * as z from 'zod';
import { issueText } from './issue-text.js';

/**
 * Reads and checks the query of a request.
 * @throws HTTPException with status 400 that says what was expected and what was got
 */
export function readQuery<T>(context: Context, schema: z.ZodType<T>): T {
  const given = context.req.queries();
  const query: Record<string, string> = {};
  for (const [name, values] of Object.entries(given)) {
    if (values.length > 1) throw badQuery(`${name}: expected once, got ${values.length} values`);
    Object.defineProperty(query, name, { value: values[0], enumerable: true });
  }
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badQuery(issue ? issueText(issue, query, schema, 'parameter') : parsed.error.message);
}

function badQuery(message: string): HTTPException {
  return new HTTPException(400, { message });
}
