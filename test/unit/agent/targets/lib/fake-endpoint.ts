import { MeshKeys } from '../../../../../agent/exchange/messages/mesh-keys.js';
import { createEndpointAnswer } from '../../../../../agent/targets/endpoint/endpoint-answer.js';
import { TargetMonitor } from '../../../../../agent/targets/target-monitor.js';
import type { FakeClock } from '../../probing/fake-clock.js';
import type { FakeServer } from './fake-target.js';

/** The endpoint of c/n1, which probes that server, and how it answers its agent. */
export function createEndpoint(
  clock: FakeClock,
  server: FakeServer,
  more: Partial<Parameters<typeof createEndpointAnswer>[0]> = {},
) {
  const monitor = new TargetMonitor({
    plane: 'endpoint',
    clock,
    budgetPerSecond: 50,
    createProber: server.createProber,
    random: () => 0.5,
  });
  const own = { nodeName: 'c/n1', clock, keys: new MeshKeys(), monitor, isOwnAgent: () => true };
  return { monitor, answer: createEndpointAnswer({ ...own, ...more }) };
}
