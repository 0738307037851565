import type { ServerResponse } from 'node:http';

/** What an API server, or something in front of it, may do instead of answering. */
export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Sends the headers and then nothing. */
  | { readonly kind: 'silent' }
  /** Cuts the connection. */
  | { readonly kind: 'cut' }
  /** Answers 200 and ends at once. */
  | { readonly kind: 'end' }
  /** Answers 200 with these bytes and ends. */
  | { readonly kind: 'say'; readonly text: string }
  /** Answers 200 with these bytes and cuts the connection. */
  | { readonly kind: 'say-and-cut'; readonly text: string };

export function commit(fault: Fault, response: ServerResponse): void {
  switch (fault.kind) {
    case 'status':
      response.writeHead(fault.status, {
        'content-type': 'application/json',
        ...(fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }),
      });
      response.end(JSON.stringify(statusObject(fault.status, `refused with ${fault.status}`)));
      return;
    case 'hang':
      return;
    case 'silent':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      return;
    case 'cut':
      response.destroy();
      return;
    case 'end':
      response.end();
      return;
    case 'say':
      response.end(fault.text);
      return;
    case 'say-and-cut':
      response.write(fault.text, () => setImmediate(() => response.destroy()));
      return;
  }
}

/** The `Status` object that an API server explains itself with. */
const reasons: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
};

/** Answers with a body of JSON. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Refuses a request with a `Status` object. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  sendJson(response, status, statusObject(status, message));
}

export function statusObject(code: number, message: string): object {
  const reason = reasons[code];
  return {
    ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code },
    ...(reason === undefined ? {} : { reason }),
  };
}
