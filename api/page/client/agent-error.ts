/** Why the agent gave no answer. It is away, it takes too long, it asks for a token, or it refused the request. */
export type AgentErrorKind = 'away' | 'late' | 'unauthorized' | 'refused';

export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly kind: AgentErrorKind;
  readonly statusCode: number | undefined;

  constructor(
    kind: AgentErrorKind,
    message: string,
    options: ErrorOptions & { readonly statusCode?: number } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.statusCode = options.statusCode;
  }
}
