/** Why there was no good answer. */
export type ApiErrorKind =
  'absent' | 'refused' | 'denied' | 'timeout' | 'gone' | 'garbage' | 'status' | 'cancelled';

/** An agent that could not be asked, or whose answer is none. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ApiErrorKind;
  /** Where the agent answered with an error: its HTTP status and its own words. */
  readonly statusCode: number | undefined;
  readonly words: string | undefined;

  constructor(
    kind: ApiErrorKind,
    message: string,
    options: ErrorOptions & { readonly statusCode?: number; readonly words?: string } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.statusCode = options.statusCode;
    this.words = options.words;
  }
}

/** Something answered, but not as an agent does. */
export function garbage(where: string, got: string): ApiError {
  return new ApiError('garbage', `${where} is no meshprobe agent: expected its JSON, got ${got}`);
}

/** An error of Node's HTTP client in words. */
export function connectionError(error: Error, where: string): ApiError {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const of = (kind: ApiErrorKind, words: string): ApiError =>
    new ApiError(kind, `cannot reach the agent on ${where}: ${words}`, { cause: error });
  if (code.startsWith('HPE_')) return garbage(where, 'something that is not HTTP');
  switch (code) {
    case 'ENOENT':
      return of('absent', 'there is no such socket');
    case 'ECONNREFUSED':
      return of('refused', 'nothing listens there');
    case 'ENOTSOCK':
      return of('refused', 'it is no socket');
    case 'EACCES':
    case 'EPERM':
      return of('denied', 'permission denied');
    case 'ECONNRESET':
    case 'EPIPE':
      return of('gone', 'it closed the connection before it had answered');
    default:
      return of('gone', error.message);
  }
}
