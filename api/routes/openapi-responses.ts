import { errorSchema } from '../schema/daemon-health.js';

/** A response with a JSON body, for an OpenAPI document. */
export const jsonResponse = <T>(schema: T, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

/** The refusals that every route may answer with. */
export const refusals = {
  400: jsonResponse(errorSchema, 'A parameter is not understood; says what was expected'),
  401: jsonResponse(errorSchema, 'The API token is missing or wrong, where one is asked for'),
  421: jsonResponse(errorSchema, 'The Host header names another host'),
};
