import type { CreateTargetProber } from './target-prober.js';
import { unknownProber } from './unknown-prober.js';

export const createTargetProber: CreateTargetProber = async (target, options) => {
  const { probe, notProbedBecause } = target;
  if (notProbedBecause !== undefined) return unknownProber(notProbedBecause);
  switch (probe.kind) {
    case 'dns':
      return (await import('./dns-prober.js')).createDnsProber(probe.dns, options);
    case 'tcp':
      return (await import('./tcp-prober.js')).createTcpProber(probe.tcp, options);
    case 'http':
      return (await import('./http-prober.js')).createHttpTargetProber(probe.http, options);
    case 'icmp':
      return (await import('./icmp-prober.js')).createIcmpProber(probe.host, options);
  }
};
