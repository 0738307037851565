import { expect, test } from 'vitest';
import type { NodeEntry } from '../../../../api/schema/v1/nodes.js';
import { verdictText } from '../../../../cli/view/node-text.js';
import { renderNodes } from '../../../../cli/view/nodes-text.js';

test('a path on which large packets are lost says so beside its round trip', () => {
  const path = { state: 'reachable', rttNs: 1_000_000 } as const;
  const node = (large: 'ok' | 'lost'): NodeEntry => ({
    name: `c/${large}`,
    lifecycle: { phase: 'active' },
    addresses: { host: ['192.0.2.1'], endpoint: [] },
    verdict: 'ok',
    paths: { host: { icmp: path, http: path, large: { state: large, size: 16_000 } } },
    seenBy: { reachable: 1, unreachable: 0, of: 1 },
  });
  const lines = renderNodes([node('ok'), node('lost')]).split('\n');
  const lineOf = (name: string) => lines.find((line) => line.startsWith(name));
  expect(lineOf('c/lost')).toMatch(/1ms +1ms \(large packets lost\)/);
  expect(lineOf('c/ok')).not.toContain('large');
});

test('observers whose rows had no room for a node are not counted as if they did not reach it', () => {
  const path = { state: 'reachable', rttNs: 1_000_000 } as const;
  const node = (seenBy: NodeEntry['seenBy']): NodeEntry => ({
    name: 'c/n1',
    lifecycle: { phase: 'active' },
    addresses: { host: ['192.0.2.1'], endpoint: [] },
    verdict: 'ok',
    paths: { host: { icmp: path, http: path } },
    seenBy,
  });
  const few = { reachable: 2, unreachable: 1, of: 684 };
  const nobody = { reachable: 0, unreachable: 0, of: 684 };
  expect(renderNodes([node(few)])).toContain('2 of 3 (681 not told)');
  expect(verdictText(node(few), [])).toBe(
    'c/n1 is ok: 2 of 3 observers reach it at all first addresses that they probe, 681 do not tell',
  );
  expect(verdictText(node(nobody), [])).toBe('c/n1 is ok: none of 684 observers tells of it');
});
