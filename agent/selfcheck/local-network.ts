import type { Logger } from 'pino';
import { protocols, type Protocol } from '../model/sample.js';
import type { Problems } from '../platform/problems.js';
import type { LocalFailures } from '../results/local-failures.js';

export interface LocalNetworkOptions {
  readonly localFailures: (protocol: Protocol) => LocalFailures;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly problems: Pick<Problems, 'set' | 'clear'>;
}

/** One path alone may have a route or a rule of its own; this many, and this share of all, are the host's trouble. */
const minFailing = 2;
const minShare = 0.1;

/**
 * Returns what, called now and then, keeps it among the agent's problems that many paths fail because its own host
 * cannot reach the network: its link is down, it has no route, or its firewall forbids it.
 */
export function createLocalNetworkReporter(options: LocalNetworkOptions): () => void {
  const { localFailures, logger, problems } = options;
  return () => {
    for (const protocol of protocols) {
      const cause = `local-network:${protocol}`;
      const { paths, failing, failure } = localFailures(protocol);
      if (failing < minFailing || failing < paths * minShare) {
        if (problems.clear(cause)) logger.info({ protocol }, 'this host reaches the network again');
        continue;
      }
      const text = `${failing} of ${paths} paths fail by ${protocol} because of this host: ${failure ?? ''}`;
      if (problems.set(cause, text, 'error')) {
        logger.warn({ protocol, paths, failing, failure }, 'this host cannot reach the network');
      }
    }
  };
}
