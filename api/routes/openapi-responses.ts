import * as z from 'zod';
import { errorSchema } from '../schema/daemon-health.js';

/** A response with a JSON body, for an OpenAPI document. */
export const jsonResponse = <T>(schema: T, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

/** A schema as a document writes it, for what the registry of schemas cannot take. */
export function jsonSchemaOf(schema: z.ZodType): object {
  const json = z.toJSONSchema(schema, { io: 'input' });
  // The document itself says which version of JSON Schema it uses.
  delete json.$schema;
  return json;
}

/** The refusals that every route may answer with. */
export const refusals = {
  400: jsonResponse(errorSchema, 'A parameter is invalid; the body says what was expected'),
  401: jsonResponse(errorSchema, 'The agent asks for an API token, and it is missing or wrong'),
  421: jsonResponse(errorSchema, 'The Host header names another host'),
};

/** The name of the security scheme in a document. */
export const tokenScheme = 'apiToken';

/** How an agent that was given a token asks for it. */
export const tokenSchemeObject = {
  type: 'http' as const,
  scheme: 'bearer',
  description: 'The token of --api-token-file, if the agent was started with one',
};
