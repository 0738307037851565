import { throughputHeader } from '../model/hello-headers.js';
import { throughputPath, throughputProtocol } from '../path-tests/throughput/opening.js';
import type { ThroughputServer } from '../path-tests/throughput/throughput-server.js';
import { openKernelSockets, type KernelSockets } from '../path-tests/throughput/kernel-sockets.js';
import type { Upgrade } from '../serving/responder/answer.js';

/** What answers the connections of throughput tests on the probe port. */
export function throughputUpgrade(server: ThroughputServer): Upgrade {
  return {
    path: throughputPath,
    protocol: throughputProtocol,
    headerName: throughputHeader,
    answer: (header, ip) => server.answer(header, ip),
  };
}

/** Loads what asks the kernel when the first test needs it. */
export function kernelWhenNeeded(): () => Promise<KernelSockets> {
  let opened: Promise<KernelSockets> | undefined;
  return () => (opened ??= openKernelSockets());
}
