// This is a file of its own, so that the CLI has the list without loading the schemas.

/** One word for a node; `excluded` if it is not expected to answer. */
export const nodeVerdicts = ['ok', 'degraded', 'broken', 'unknown', 'excluded'] as const;
