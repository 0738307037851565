/** Why the agent gave no answer: it is away, it wants a token, or it refused what was asked. */
export type AgentErrorKind = 'away' | 'unauthorized' | 'refused';

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
