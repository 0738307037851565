import type { Server } from 'node:net';
import type { ListenAddress } from '../config/listen-address.js';
import { codeOf, StartError } from '../platform/errors.js';

/**
 * Makes a server listen on an address from a setting.
 * @throws StartError that names the setting, the address and why it cannot be had
 */
export function listenOnTcp(
  server: Server,
  { host, port }: ListenAddress,
  setting: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error): void => {
      const why = codeOf(error) === 'EADDRINUSE' ? 'the port is taken' : error.message;
      reject(
        new StartError(
          `${setting}: cannot listen on ${host}, port ${port}: ${why}; choose another --${setting}`,
        ),
      );
    };
    server.once('error', refuse);
    server.listen({ host, port }, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}
