import { expect, test } from 'vitest';
import { largeCounts } from '../../../../../agent/reports/v1/large-counts.js';

function view(name: string, state: string, phase?: string) {
  const lifecycle = phase === undefined ? undefined : { phase };
  return {
    name,
    lifecycle,
    host: [{ ip: `ip-${name}`, http: { state: { state } } }],
    endpoint: [],
  };
}

test('counts paths to other active nodes that HTTP passes, untested ones as unknown', () => {
  const nodes = [
    view('c/own', 'reachable'),
    view('c/ok', 'reachable'),
    view('c/lost', 'reachable'),
    view('c/untested', 'reachable'),
    view('c/dead', 'unreachable'),
    view('c/cordoned', 'reachable', 'excluded'),
  ];
  const states: Record<string, string> = { 'c/ok': 'ok', 'c/lost': 'lost' };
  const state = { snapshot: { nodes }, localName: 'c/own' } as never;
  const counts = largeCounts(state, 'host', ({ name, addresses }, plane) => {
    expect(addresses[plane]).toEqual([`ip-${name}`]);
    return states[name] === undefined ? undefined : ({ state: states[name] } as never);
  });
  expect(counts).toEqual({ ok: 1, lost: 1, unknown: 1 });
});
