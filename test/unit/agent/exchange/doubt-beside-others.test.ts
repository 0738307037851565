import { expect, test } from 'vitest';
import { timeout, type Sample } from '../../../../agent/model/sample.js';
import { FakeMesh } from './lib/fake-peers.js';

const lost: Sample = { ...timeout, sentMs: 0, at: 0 };
const answered: Sample = { outcome: 'reply', rttNs: 1000, sentMs: 0, at: 0 };

/** The hints that the agent of the first of 30 nodes tells once it sees that the sixth died. */
function hintsOf({ hasExternal = false, excluded = 0, excludedLate = false }): string | undefined {
  const mesh = FakeMesh.introduced(30);
  const me = mesh.peer(0);
  const isExcluded = (at: number) => at >= 30 - excluded;
  const externalIp = (at: number) => `203.0.113.${at}`;
  const nodes = mesh.nodes.map((node, at) => ({
    ...node,
    host: hasExternal ? [...node.host, externalIp(at)] : node.host,
    ...(isExcluded(at) && { lifecycle: { phase: 'excluded' as const, reason: 'cordoned' } }),
  }));
  const external = nodes.map(({ name: node }, at) => ({
    node,
    plane: 'host' as const,
    ip: externalIp(at),
  }));
  if (!excludedLate) me.update(nodes, { added: hasExternal ? external : [], removed: [] });
  for (const [at] of nodes.entries()) {
    for (const protocol of ['icmp', 'http'] as const) {
      const isDead = at === 5 || isExcluded(at);
      me.exchange.witness.noteSample(mesh.path(at), protocol, isDead ? lost : answered);
      const beside = external[at];
      if (hasExternal && beside) me.exchange.witness.noteSample(beside, protocol, lost);
    }
  }
  if (excludedLate) me.update(nodes);
  mesh.transition(me, mesh.path(5), 'icmp', 'unreachable');
  return /hints=[^;]*/.exec(me.exchange.ask(mesh.path(3))?.header ?? '')?.[0];
}

test.each([
  ['nothing else fails', {}],
  ['no external address answers from inside', { hasExternal: true }],
  ['excluded nodes do not answer', { excluded: 15 }],
  ['nodes are excluded after they failed', { excluded: 15, excludedLate: true }],
])('a death is told where %s', (_, beside) => {
  expect(hintsOf(beside)).toContain('c/n5:hif');
});
