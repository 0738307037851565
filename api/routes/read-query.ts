import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type * as z from 'zod';

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
  throw badQuery(issue ? describe(issue, query, schema) : parsed.error.message);
}

function badQuery(message: string): HTTPException {
  return new HTTPException(400, { message });
}

function describe(
  issue: z.core.$ZodIssue,
  query: Readonly<Record<string, string>>,
  schema: z.ZodType,
): string {
  if (issue.code === 'unrecognized_keys') {
    const known = 'shape' in schema ? Object.keys(schema.shape as object) : [];
    const expected = known.length > 0 ? known.join(', ') : 'no parameters';
    return `unknown parameter ${quote(issue.keys[0] ?? '')}, expected ${expected}`;
  }
  const name = String(issue.path[0] ?? '');
  const expected =
    issue.code === 'invalid_value' ? `expected ${issue.values.join(', ')}` : issue.message;
  return `${name}: ${expected}, got ${quote(query[name] ?? '')}`;
}

function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}
