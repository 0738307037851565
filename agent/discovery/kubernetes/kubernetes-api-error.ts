/** An error of the API server: an HTTP status, or an ERROR object inside a watch. */
export class KubernetesApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** What the server asked us to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, status: number, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  /** The resource version or the continue token is too old to go on from. */
  get isExpired(): boolean {
    return this.status === 410;
  }

  /** The server has not come as far as the resource version we asked for. */
  get isTooNew(): boolean {
    return this.status === 504 && /too large resource version/i.test(this.message);
  }
}

/** The server's answer makes no sense; only a fresh list can be trusted after it. */
export class InvalidResponseError extends Error {
  override readonly name = 'MalformedAnswer';
}
