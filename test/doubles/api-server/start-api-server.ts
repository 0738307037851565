import { onTestFinished } from 'vitest';
import { ApiServer } from './api-server.js';

/** Starts an API server for a test. It ends with the test, after its `afterEach`. */
export async function startApiServer(): Promise<ApiServer> {
  const server = new ApiServer();
  await server.start();
  onTestFinished(() => server.stop());
  return server;
}
