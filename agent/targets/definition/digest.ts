import { nameHash } from '../../model/name-hash.js';
import type { TargetProbe } from '../../model/target.js';

/**
 * The digest of a definition, the same on all agents that probe the same thing in the same way. Paths
 * of files do not count: they may differ between hosts and pods, and what they lead to is a secret.
 */
export function digestOf(probe: TargetProbe, timeoutMs: number): number {
  return nameHash(JSON.stringify([timeoutMs, ...partsOf(probe)]));
}

/** In an order that does not depend on that of the keys in a file. */
function partsOf(probe: TargetProbe): unknown[] {
  switch (probe.kind) {
    case 'dns': {
      const { query, type, servers, expect } = probe.dns;
      return ['dns', query, type, servers, [...expect].sort()];
    }
    case 'tcp':
      return ['tcp', probe.tcp.host, probe.tcp.port];
    case 'http': {
      const { url, method, expectStatus, tlsName = null } = probe.http;
      return ['http', url, method, expectStatus, tlsName];
    }
    case 'icmp':
      return ['icmp', probe.host];
  }
}
