import type { Logger } from 'pino';
import { protocols, type Protocol } from '../model/sample.js';
import type { Problems } from '../platform/problems.js';
import type { LocalFailures } from '../results/local-failures.js';

export interface LocalNetworkOptions {
  readonly localFailures: (protocol: Protocol) => LocalFailures;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly problems: Pick<Problems, 'set' | 'clear'>;
}

/**
 * A single path may have its own route or firewall rule. So many paths, and this share of all, are
 * trouble of the host.
 */
const minFailing = 2;
const minShare = 0.1;

/**
 * Returns a function to be called regularly. It adds a problem when many paths fail because this
 * host cannot reach the network: its link is down, it has no route, or its firewall forbids it.
 */
export function createLocalNetworkReporter(options: LocalNetworkOptions): () => void {
  const { localFailures, logger, problems } = options;
  return () => {
    for (const protocol of protocols) {
      const cause = `local-network:${protocol}` as const;
      const { paths, failing, failure } = localFailures(protocol);
      if (failing < minFailing || failing < paths * minShare) {
        if (problems.clear(cause)) logger.info({ protocol }, 'this host reaches the network again');
        continue;
      }
      const text = `${failing} of ${paths} paths ${failing === 1 ? 'fails' : 'fail'} by ${protocol} because of this host: ${failure ?? ''}`;
      if (problems.set(cause, text)) {
        logger.warn({ protocol, paths, failing, failure }, 'this host cannot reach the network');
      }
    }
  };
}
