// Serves the bytes of one file. It shows what node:http can do with the same bytes.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [file = '', etag = '', port = '', socketPath = ''] = process.argv.slice(2);
const body = readFileSync(file);
const headers = { etag, 'content-type': 'application/json', 'cache-control': 'no-cache' };

for (const where of [{ host: '127.0.0.1', port: Number(port) }, { path: socketPath }]) {
  createServer((request, response) => {
    if (request.headers['if-none-match'] === etag) response.writeHead(304, headers).end();
    else response.writeHead(200, { ...headers, 'content-length': body.length }).end(body);
  }).listen(where);
}
