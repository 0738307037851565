import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { noteSocketEvent } from '../platform/loop-turns.js';
import { limitConnections } from './limit-connections.js';
import { limitPipelining } from './limit-pipelining.js';
import { disconnectSlowReaders } from './slow-readers.js';

/** The part of a Hono app that the server uses, whatever its own type is. */
type Fetching = { readonly fetch: Parameters<typeof getRequestListener>[0] };

const stopGraceMs = 1000;
const maxUnreadBytes = 64 * 1024 * 1024;
const readStallMs = 10_000;
const maxUnanswered = 4;
const tcpKeepAliveMs = 30_000;

/** A Node server for a Hono app, with bounds on what a client may hold. It does not listen yet. */
export function createHttpServer(app: Fetching, { maxConnections = 256 } = {}): Server {
  const listener = getRequestListener(app.fetch, {
    // The adapter answers 400 to an empty Host header unless it is given a default name.
    hostname: 'localhost',
    overrideGlobalObjects: false,
  });
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 5000,
      requestTimeout: 30_000,
      keepAliveTimeout: 5000,
      connectionsCheckingInterval: 1000,
      requireHostHeader: false,
      // A reader of events whose host has gone is sent nothing while nothing happens.
      keepAlive: true,
      keepAliveInitialDelay: tcpKeepAliveMs,
    },
    limitPipelining((request, response) => {
      noteSocketEvent();
      void listener(request, response);
    }, maxUnanswered),
  );
  server.on('connection', noteSocketEvent);
  limitConnections(server, maxConnections);
  disconnectSlowReaders(server, { maxUnreadBytes, stallMs: readStallMs });
  return server;
}

/** Answers what was asked, then closes. What is still open after a second is cut. */
export function stopHttpServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), stopGraceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
}
