import { errorSchema } from '../schema/daemon-health.js';

/** A response with a JSON body, for an OpenAPI document. */
export const jsonResponse = <T>(schema: T, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

/** The refusals that every route may answer with. */
export const refusals = {
  400: jsonResponse(errorSchema, 'A parameter is invalid; the body says what was expected'),
  401: jsonResponse(errorSchema, 'The agent asks for an API token, and it is missing or wrong'),
  421: jsonResponse(errorSchema, 'The Host header names another host'),
};
