import { describe, expect, test } from 'vitest';
import type { TraceLine } from '../../../../api/schema/v1/path-tests.js';
import {
  FindingTraces,
  type TracePath,
} from '../../../../agent/path-tests/trace/finding-traces.js';
import {
  collectTrace,
  partingOf,
  type PathTrace,
} from '../../../../agent/path-tests/trace/path-trace.js';
import { traceLines } from '../../../../cli/view/finding-trace-text.js';

const hop = (ttl: number, address: string) => ({ ttl, address, rttNs: 1000 * ttl });
const failing: PathTrace = { isReached: false, hops: [hop(1, '10.0.1.1'), hop(2, '10.0.3.1')] };
const working: PathTrace = {
  isReached: true,
  hops: [hop(1, '10.0.1.1'), hop(2, '10.0.3.1'), hop(3, '10.0.7.9'), hop(4, '10.0.8.2')],
};
const path: TracePath = { node: 'c/n7', plane: 'host', protocol: 'icmp' };
const sibling: TracePath = { ...path, node: 'c/n8' };

/** Lets everything that was promised happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

function create(results: Readonly<Record<string, PathTrace | undefined>>) {
  const traced: string[] = [];
  const traces = new FindingTraces({
    trace: ({ node }) => {
      traced.push(node);
      return Promise.resolve(results[node]);
    },
    siblingOf: () => sibling,
    pause: () => {
      traced.push('pause');
      return Promise.resolve();
    },
  });
  return { traces, traced };
}

describe('the traces of findings', () => {
  test('are of the path and of one that works, once while the finding is open', async () => {
    const { traces, traced } = create({ 'c/n7': failing, 'c/n8': working });
    traces.update(new Map([['pair:a', path]]));
    traces.update(new Map([['pair:a', path]]));
    await settle();
    traces.update(new Map([['pair:a', path]]));
    await settle();
    expect(traced).toEqual(['c/n7', 'pause', 'c/n8', 'pause']);
    expect(traces.of('pair:a')).toEqual({
      path,
      trace: failing,
      sibling: { path: sibling, trace: working },
      parting: { after: hop(2, '10.0.3.1'), next: hop(3, '10.0.7.9') },
    });
    traces.update(new Map());
    expect(traces.of('pair:a')).toBeUndefined();
    traces.update(new Map([['pair:a', path]]));
    await settle();
    expect(traced).toHaveLength(8);
  });

  test('are made one after the other, and not for findings that closed before', async () => {
    const { traces, traced } = create({ 'c/n7': working, 'c/n9': working });
    traces.update(
      new Map([
        ['a', path],
        ['b', { ...path, node: 'c/n9' }],
      ]),
    );
    traces.update(new Map([['a', path]]));
    await settle();
    expect(traced).toEqual(['c/n7', 'pause']);
  });

  test('are nothing where no hop answers, or the trace could not be made', async () => {
    const { traces, traced } = create({});
    traces.update(new Map([['a', path]]));
    await settle();
    expect([traces.of('a'), traced]).toEqual([undefined, ['c/n7', 'pause']]);
    async function* lines(): AsyncGenerator<TraceLine, void> {
      await settle();
      yield { type: 'hop', ttl: 1, tries: 3 };
      yield { type: 'end', isReached: false, triedTtl: 20 };
    }
    expect(await collectTrace(lines())).toBeUndefined();
  });
});

describe('the trace of a flow that never passes', () => {
  const flow: TracePath = { ...path, protocol: 'http', port: 40_001 };
  const anyFlow: TracePath = { ...path, protocol: 'http' };

  function createForFlows(ofOthers: (PathTrace | undefined)[]) {
    const traced: (number | undefined)[] = [];
    const traces = new FindingTraces({
      trace: ({ port }) => {
        traced.push(port);
        return Promise.resolve(port === undefined ? ofOthers.shift() : failing);
      },
      siblingOf: () => anyFlow,
      pause: () => Promise.resolve(),
    });
    return { traces, traced };
  }

  test('is made once when the flow is known, and replaces that of any flow', async () => {
    const { traces, traced } = createForFlows([working, working]);
    traces.update(new Map([['lossy:a', anyFlow]]));
    await settle();
    expect(traces.of('lossy:a')).toEqual({ path: anyFlow, trace: working });
    traces.update(new Map([['lossy:a', flow]]));
    await settle();
    traces.update(new Map([['lossy:a', { ...flow, port: 40_002 }]]));
    await settle();
    expect(traced).toEqual([undefined, 40_001, undefined]);
    expect(traces.of('lossy:a')).toMatchObject({ path: flow, parting: { next: { ttl: 3 } } });
  });

  test('is beside another flow that passes, of at most three that are tried', async () => {
    const { traces, traced } = createForFlows([failing, undefined, working]);
    traces.update(new Map([['lossy:a', flow]]));
    await settle();
    expect(traces.of('lossy:a')?.sibling).toEqual({ path: anyFlow, trace: working });
    const none = createForFlows([failing, failing, failing, working]);
    none.traces.update(new Map([['lossy:a', flow]]));
    await settle();
    expect(none.traces.of('lossy:a')).toEqual({ path: flow, trace: failing });
    expect([traced.length, none.traced.length]).toEqual([4, 4]);
  });
});

describe('where two paths part', () => {
  test('is after the last hop that answers on both', () => {
    expect(partingOf(failing, working)?.next.address).toBe('10.0.7.9');
    const astray = { ...failing, hops: [hop(1, '10.0.1.1'), hop(2, '10.0.4.1')] };
    expect(partingOf(astray, working)).toMatchObject({ after: { ttl: 1 }, next: { ttl: 2 } });
  });

  test('is before the next hop that answers, where hops of the path that works are silent', () => {
    const silent = { ...working, hops: working.hops.filter(({ ttl }) => ttl !== 3) };
    expect(partingOf(failing, silent)).toMatchObject({ after: { ttl: 2 }, next: { ttl: 4 } });
  });

  test('is not said where nothing is common, it may be any of several, or the path came through', () => {
    expect(partingOf({ ...failing, hops: [hop(1, '10.9.9.9')] }, working)).toBeUndefined();
    const silent = { ...working, hops: working.hops.filter(({ ttl }) => ttl !== 2) };
    expect(partingOf(failing, silent)).toBeUndefined();
    expect(partingOf(working, working)).toBeUndefined();
    expect(partingOf(failing, { ...working, isReached: false })).toBeUndefined();
  });
});

describe('the line of a trace', () => {
  const line = (trace: object) =>
    traceLines({
      evidence: [
        {
          from: 'c/n1',
          to: 'c/n7',
          plane: 'host',
          protocol: 'icmp',
          failure: 'x',
          since: '2026-11-22T12:00:00Z',
          trace: {
            hops: [hop(2, '10.0.3.1')],
            isReached: false,
            lastAnswering: hop(2, '10.0.3.1'),
            ...trace,
          },
        },
      ],
    });
  const beside = { to: 'c/n8', hops: [hop(3, '10.0.7.9')] };

  test('names the last hop that answers and the next of the path that works', () => {
    const parting = { after: hop(2, '10.0.3.1'), next: hop(3, '10.0.7.9') };
    expect(line({ sibling: beside, parting })).toEqual([
      '  traced c/n1 -> c/n7: 10.0.3.1 (hop 2) still answers, the next hop of the working path to c/n8 is 10.0.7.9',
    ]);
    const earlier = { after: hop(1, '10.0.1.1'), next: hop(2, '10.0.2.1') };
    expect(line({ sibling: beside, parting: earlier })).toEqual([
      '  traced c/n1 -> c/n7: 10.0.3.1 (hop 2) is the last that answers; the working path to c/n8 leaves it after 10.0.1.1, to 10.0.2.1',
    ]);
  });

  test('says which hop answers next behind silent ones, and of which flow it is', () => {
    const parting = { after: hop(2, '10.0.3.1'), next: hop(4, '10.0.8.2') };
    expect(line({ sibling: beside, parting })).toEqual([
      '  traced c/n1 -> c/n7: 10.0.3.1 (hop 2) still answers, the next hop that answers of the working path to c/n8 is 10.0.8.2 (hop 4)',
    ]);
    const earlier = { after: hop(1, '10.0.1.1'), next: hop(2, '10.0.2.1') };
    expect(line({ port: 40_001, sibling: beside, parting: earlier })).toEqual([
      '  traced c/n1 -> c/n7, source port 40001: 10.0.3.1 (hop 2) is the last that answers; a flow that passes leaves it after 10.0.1.1, to 10.0.2.1',
    ]);
  });

  test('claims no more than was seen, and escapes', () => {
    expect(line({})).toEqual(['  traced c/n1 -> c/n7: 10.0.3.1 (hop 2) is the last that answers']);
    expect(line({ isReached: true })).toEqual([]);
    expect(traceLines({ evidence: [] })).toEqual([]);
    expect(line({ lastAnswering: hop(2, '10.0\u001b[2J') })[0]).not.toContain('\u001b');
  });
});
