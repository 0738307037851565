import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { closeServer, listen, portOf } from '../../../resources/listen.js';

/** One request that came whole. */
export interface ReceivedPost {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Answer = (response: ServerResponse, post: ReceivedPost, count: number) => void;

export const ok: Answer = (response) => void response.writeHead(204).end();
export const status =
  (code: number, body = '', headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(code, headers).end(body);

/** A real HTTP server that keeps what it is sent, and answers as it is told. */
export class ReceiverServer {
  readonly posts: ReceivedPost[] = [];
  /** Those that it answered with success. */
  readonly taken: ReceivedPost[] = [];
  answer: Answer;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      const post = { path, headers, body: Buffer.concat(chunks).toString('utf8') };
      this.posts.push(post);
      response.on('finish', () => {
        if (response.statusCode < 300) this.taken.push(post);
      });
      this.answer(response, post, this.posts.length);
    });
  });

  constructor(answer: Answer = ok) {
    this.answer = answer;
  }

  async listen(port = 0, host = '127.0.0.1'): Promise<this> {
    await listen(this.#server, port, host);
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`;
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }
}
