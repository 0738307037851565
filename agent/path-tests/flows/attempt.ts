import { getSystemErrorName } from 'node:util';

/** What became of one connection attempt; `not-sent` says nothing of the network. */
export type Attempt = 'answered' | 'lost' | 'port-taken' | 'not-sent';

/** What an error of a connection attempt says. */
export function attemptOf(code: string | undefined): Attempt {
  switch (code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
      return 'answered';
    case 'EADDRINUSE':
    case 'EADDRNOTAVAIL':
    case 'EACCES':
      return 'port-taken';
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
    case 'EPERM':
      return 'lost';
    case undefined:
    default:
      return 'not-sent';
  }
}

/** The same of the kernel's number of an error. */
export function attemptOfErrno(errno: number): Attempt {
  return errno === 0 ? 'not-sent' : attemptOf(getSystemErrorName(-errno));
}
