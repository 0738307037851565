import { describe, expect, test } from 'vitest';
import { MeshKeys } from '../../../../../agent/exchange/messages/mesh-keys.js';
import { createEndpointAnswer } from '../../../../../agent/targets/endpoint/endpoint-answer.js';
import {
  decodeEndpointRequest,
  encodeEndpointAnswer,
  encodeEndpointRequest,
} from '../../../../../agent/targets/endpoint/endpoint-message.js';
import { isSameNode } from '../../../../../agent/model/node-name.js';
import { EndpointPlane } from '../../../../../agent/targets/endpoint/endpoint-plane.js';
import { decodeEndpointResults } from '../../../../../agent/targets/endpoint/decode-endpoint-results.js';
import { encodeEndpointResults } from '../../../../../agent/targets/endpoint/encode-endpoint-results.js';
import { maxEndpointBodyBytes } from '../../../../../agent/targets/endpoint/endpoint-limits.js';
import { initialState } from '../../../../../agent/model/path-state.js';
import { maxTargets } from '../../../../../agent/model/target.js';
import type { WatchedTarget } from '../../../../../agent/targets/watched-target.js';
import { FakeClock } from '../../probing/fake-clock.js';
import { FakeServer, tcpTarget } from '../lib/fake-target.js';
import { createEndpoint } from '../lib/fake-endpoint.js';

const [key, otherKey] = ['a key of the whole mesh', 'a key of another mesh'];
const request = {
  node: 'c/n1',
  nodes: 12,
  toProbe: ['database'],
  signs: true,
  sentAt: 1_800_000_000_000,
  nonce: 'abcdefghijklmnop',
};
const target = tcpTarget('database');

/** An endpoint that has probed its target, and the agent that asks it. */
async function createPair({
  endpointKeys = new MeshKeys(),
  agentKeys = new MeshKeys(),
  nodeName = 'c/n1',
  isOwnAgent = true,
} = {}) {
  const clock = new FakeClock();
  const server = new FakeServer(clock);
  const { monitor, answer } = createEndpoint(clock, server, {
    nodeName,
    keys: endpointKeys,
    isOwnAgent: () => isOwnAgent,
  });
  monitor.setTargets([target]);
  let nonces = 0;
  const plane = new EndpointPlane({
    localName: 'c/n1',
    clock,
    keys: agentKeys,
    nodes: () => 12,
    askNow: () => undefined,
    createNonce: () => String(nonces++).padStart(16, '0'),
  });
  /** One GET and its answer, which may be changed on the way. */
  const exchange = (change = (told: { header: string; body: string }) => told) => {
    // No two within two seconds.
    clock.stall(2000);
    const asked = plane.ask();
    const told = answer(asked?.header ?? '', '198.51.100.7');
    const changed = told && change(told);
    asked?.onAnswer(changed?.header, changed?.body ?? '');
    return told;
  };
  exchange();
  await clock.advance(12_000);
  return {
    clock,
    server,
    monitor,
    plane,
    answer,
    exchange,
    because: () => plane.view(target).unknownBecause,
  };
}

describe('a request to the own endpoint', () => {
  test('is the same after it has travelled, with a key and without', () => {
    for (const keys of [new MeshKeys(), new MeshKeys([key])]) {
      expect(decodeEndpointRequest(encodeEndpointRequest(request, keys), keys)).toEqual(request);
    }
  });

  test('of another key, without one, or changed on the way is refused', () => {
    const keys = new MeshKeys([key]);
    const header = encodeEndpointRequest(request, keys);
    for (const refused of [
      encodeEndpointRequest(request, new MeshKeys()),
      encodeEndpointRequest(request, new MeshKeys([otherKey])),
      header.replace('nodes=12', 'nodes=1'),
      header.replace('c/n1', 'c/n2'),
      `${header};mac=x`,
    ]) {
      expect(decodeEndpointRequest(refused, keys)).toBeUndefined();
    }
  });

  test.each([
    '',
    '1',
    '2;node=c/n1;nodes=12;nonce=abcdefghijklmnop',
    '1;node=c/n1;nodes=0;nonce=abcdefghijklmnop',
    '1;node=c/n1;nodes=-1;nonce=abcdefghijklmnop',
    '1;node=c/n1;nodes=1e99;nonce=abcdefghijklmnop',
    '1;node=c/n1;nodes=1.5;nonce=abcdefghijklmnop',
    '1;node=c/n1;nodes=;nonce=abcdefghijklmnop',
    '1;node=c/n1;nonce=abcdefghijklmnop',
    '1;node=c/n1;nodes=12;nonce=short',
    '1;node=c/n1;nodes=12;sent=;nonce=abcdefghijklmnop',
    '1;node=c/n1;nodes=12;sent=-1;nonce=abcdefghijklmnop',
    '1;node=c/n1;nodes=12;sent=1e12;nonce=abcdefghijklmnop',
    '1;node=c/n/1;nodes=12;nonce=abcdefghijklmnop',
    '1;node=c/n1;node=c/n1;nodes=12;nonce=abcdefghijklmnop',
    `1;node=${'n'.repeat(2000)};nodes=12;nonce=abcdefghijklmnop`,
  ])('is refused where it is malformed: %s', (header) => {
    expect(decodeEndpointRequest(header, new MeshKeys())).toBeUndefined();
  });

  test('may name the node with or without its cluster', () => {
    expect(isSameNode('n1', 'c/n1')).toBe(true);
    expect(isSameNode('c/n1', 'n1')).toBe(true);
    expect(isSameNode('c/n1', 'd/n1')).toBe(false);
    expect(isSameNode('n1', 'n2')).toBe(false);
  });
});

describe('an endpoint and its agent', () => {
  test('percentiles that too few samples tell are left out by the agent, and older ones get numbers', async () => {
    const { exchange, plane, monitor, clock } = await createPair();
    const told = exchange();
    const { targets } = JSON.parse(told?.body ?? '') as { targets: { rtts: object }[] };
    expect(targets[0]?.rtts).toEqual({ min: 1e6, p50: 1e6, p95: 1e6, p99: 1e6, max: 1e6 });
    expect(plane.view(target).rtts).toEqual({ min: 1e6, p50: 1e6, max: 1e6 });
    const record = (rttNs: number, times: number) => {
      for (let time = 0; time < times; time++) {
        const at = { sentMs: clock.nowMs(), at: clock.wallMs() };
        monitor.get('database')?.results.record({ outcome: 'reply', rttNs, ...at });
      }
    };
    record(9e6, 5);
    record(1e6, 150);
    exchange();
    const { p95, p99 = NaN } = plane.view(target).rtts ?? {};
    expect(p95).toBeUndefined();
    expect(p99 / 9e6).toBeCloseTo(1, 1);
  });

  test('the agent says since when a target is as it is, however its clock is set meanwhile', async () => {
    const { clock, exchange, plane } = await createPair();
    exchange();
    const sinceAt = () => plane.view(target).state.sinceAt;
    const reachableAt = sinceAt();
    for (const stepMs of [3_600_000, -7_200_000]) {
      clock.wallOffsetMs += stepMs;
      await clock.advance(5000.4);
      exchange();
      expect(plane.view(target).state.state).toBe('reachable');
      expect(sinceAt()).toBe(reachableAt);
    }
    await clock.advance(60_000);
    const unknownAt = sinceAt();
    expect(plane.view(target).state.state).toBe('unknown');
    clock.wallOffsetMs += 3_600_000;
    await clock.advance(60_000);
    expect(sinceAt()).toBe(unknownAt);
  });

  test('the agent has the results of the endpoint, with their age', async () => {
    const { clock, exchange, plane, because } = await createPair();
    exchange();
    expect(because()).toBeUndefined();
    expect(plane.row(target)).toMatchObject({ plane: 'endpoint', state: 'reachable', p50Ns: 1e6 });
    const { probedSeconds = 0 } = plane.row(target) ?? {};
    await clock.advance(4000);
    expect(plane.row(target)?.probedSeconds).toBe(probedSeconds + 4);
    await clock.advance(7000);
    expect(plane.row(target)).toBeUndefined();
    expect(because()).toContain('did not answer');
  });

  test('the endpoint probes at the interval that follows from the nodes of the agent', async () => {
    const { server, monitor } = await createPair();
    expect(monitor.load.nodes).toBe(12);
    expect(server.sentMs.length).toBeGreaterThanOrEqual(2);
  });

  test('a change of the endpoint is a transition of the agent', async () => {
    const { clock, server, exchange, plane } = await createPair();
    exchange();
    const seen: string[] = [];
    plane.onTransition(({ target: name, digest, plane: from, after }) =>
      seen.push(`${name} ${digest} ${from} ${after.state} ${after.failureKind}`),
    );
    server.isSilent = true;
    await clock.advance(10_000);
    exchange();
    exchange();
    expect(seen).toEqual(['database 7 endpoint unreachable timeout']);
  });

  test('an endpoint that begins anew changes nothing, and the end of an outage is told all the same', async () => {
    const { clock, server, monitor, exchange, plane } = await createPair();
    exchange();
    const seen: string[] = [];
    plane.onTransition(({ before, after }) => seen.push(`${before.state} ${after.state}`));
    server.isSilent = true;
    await clock.advance(10_000);
    exchange();
    expect(seen).toEqual(['reachable unreachable']);
    const restart = (): void => {
      monitor.setTargets([]);
      monitor.setTargets([target]);
    };
    restart();
    exchange();
    expect(plane.row(target)?.state).toBe('unknown');
    await clock.advance(10_000);
    exchange();
    expect(seen).toEqual(['reachable unreachable']);
    restart();
    exchange();
    server.isSilent = false;
    await clock.advance(10_000);
    exchange();
    expect(seen).toEqual(['reachable unreachable', 'unreachable reachable']);
  });

  test('the agent says why the endpoint cannot probe', async () => {
    const { clock, server, exchange, because } = await createPair();
    server.outcome = { outcome: 'not-sent', reason: 'other', detail: 'headersFile: it is gone' };
    await clock.advance(10_000);
    exchange();
    expect(because()).toBe('headersFile: it is gone');
  });

  test('a replayed request, a stranger and another node are answered plainly', async () => {
    const keys = new MeshKeys([key]);
    const { plane } = await createPair();
    const header = plane.ask()?.header ?? '';
    const { monitor, clock } = await createPair();
    const base = { nodeName: 'c/n1', clock, keys: new MeshKeys(), monitor, isOwnAgent: () => true };
    const answer = createEndpointAnswer(base);
    expect(answer(header, '198.51.100.7')).toBeDefined();
    expect(answer(header, '198.51.100.7')).toBeUndefined();
    const distrustful = createEndpointAnswer({ ...base, isOwnAgent: () => false });
    expect(distrustful(header, '198.51.100.7')).toBeUndefined();
    expect(createEndpointAnswer({ ...base, nodeName: 'c/n2' })(header, '')).toBeUndefined();
    expect(createEndpointAnswer({ ...base, keys })(header, '')).toBeUndefined();
  });

  test('with a key a recorded request is answered never again, and the source does not matter', async () => {
    const keys = new MeshKeys([key]);
    const { clock, monitor } = await createPair();
    const own = { nodeName: 'c/n1', clock, keys, monitor, isOwnAgent: () => false };
    let sent = 0;
    const signed = (sentAt: number | undefined) =>
      encodeEndpointRequest({ ...request, sentAt, nonce: String(sent++).padStart(16, '0') }, keys);
    const answer = createEndpointAnswer(own);
    const isAnswered = (header: string) => answer(header, '198.51.100.7') !== undefined;
    const recorded = signed(clock.wallMs());
    expect(isAnswered(recorded)).toBe(true);
    await clock.advance(31_000);
    // So many others that its nonce is forgotten.
    for (let at = 0; at < 1100; at++) expect(isAnswered(signed(clock.wallMs()))).toBe(true);
    expect(isAnswered(recorded)).toBe(false);
    expect(isAnswered(signed(clock.wallMs() - 29_000))).toBe(true);
    expect(isAnswered(signed(clock.wallMs() + 29_000))).toBe(true);
    expect(isAnswered(signed(clock.wallMs() + 31_000))).toBe(false);
    expect(isAnswered(signed(undefined))).toBe(false);
    // A responder that has just started knows nothing of what an earlier one answered.
    const last = signed(clock.wallMs());
    await clock.advance(1000);
    const restarted = createEndpointAnswer(own);
    expect(restarted(last, '198.51.100.7')).toBeUndefined();
    expect(restarted(signed(clock.wallMs()), '198.51.100.7')).toBeDefined();
  });

  test.each([
    [12, false],
    [12, true],
    [200, false],
    [200, true],
  ])(
    'of %i nodes, all asked for looks without end, keep to the budget: silent %s',
    async (nodes, isSilent) => {
      const { clock, server, answer } = await createPair();
      server.isSilent = isSilent;
      const before = server.sentMs.length;
      for (let at = 0; at < 3000; at++) {
        const nonce = `n${String(at).padStart(15, '0')}`;
        answer(encodeEndpointRequest({ ...request, nodes, nonce }, new MeshKeys()), '198.51.100.7');
        await clock.advance(20);
      }
      const sent = server.sentMs.slice(before);
      expect(sent.length).toBeGreaterThan(5);
      // The steady round of each node is in the budget beside them.
      expect((nodes * sent.length) / 60).toBeLessThanOrEqual(50 * 1.2);
      const busiest = sent.map((first) => sent.filter((ms) => ms >= first && ms < first + 1000));
      expect(Math.max(...busiest.map(({ length }) => length))).toBeLessThanOrEqual(4);
    },
  );

  test('the agent says why it has no results', async () => {
    const silent = await createPair({ isOwnAgent: false });
    silent.exchange();
    expect(silent.because()).toBe(
      'the endpoint of this node gives no results to this agent; where the agent itself answers there, targets take from: host',
    );
    const keyed = await createPair({
      endpointKeys: new MeshKeys(),
      agentKeys: new MeshKeys([key]),
    });
    keyed.exchange();
    expect(keyed.because()).toBe('the endpoint of this node has another mesh key');
    const foreign = await createPair();
    foreign.exchange(({ body }) => ({ header: '1;node=c/n2', body }));
    expect(foreign.because()).toContain('that of another node answers');
    const { plane } = await createPair();
    const other = plane.view(tcpTarget('cache')).unknownBecause;
    expect(other).toContain('the endpoint of this node');
  });

  test('the agent takes no results of another definition', async () => {
    const { exchange, plane } = await createPair();
    exchange();
    const changed = tcpTarget('database', { digest: 8 });
    expect(plane.row(changed)).toBeUndefined();
    expect(plane.view(changed).unknownBecause).toContain('something else of that name');
    expect(plane.view(tcpTarget('cache')).unknownBecause).toContain('does not probe it');
  });

  test('the agent says since when the endpoint tells nothing of a target, however often it answers', async () => {
    const { clock, plane, exchange, monitor } = await createPair();
    const sinceMs = (name: string) => plane.view(tcpTarget(name)).state.sinceMs;
    const beganMs = sinceMs('other');
    exchange();
    const toldMs = clock.nowMs();
    await clock.advance(5000);
    exchange();
    const lastToldMs = clock.nowMs();
    expect(lastToldMs).toBeGreaterThan(toldMs);
    monitor.setTargets([]);
    for (let count = 0; count < 3; count++) {
      await clock.advance(5000);
      exchange();
      expect(plane.view(target).unknownBecause).toBe('the endpoint of this node does not probe it');
      expect(sinceMs(target.name)).toBe(lastToldMs);
      expect(sinceMs('other')).toBe(beganMs);
    }
  });

  test('the agent refuses an answer to another request, and one that was changed', async () => {
    const keys = new MeshKeys([key]);
    const { exchange, plane, because, clock } = await createPair({
      endpointKeys: keys,
      agentKeys: keys,
    });
    const first = exchange();
    expect(because()).toBeUndefined();
    await clock.advance(11_000);
    exchange(() => first ?? { header: '', body: '' });
    expect(because()).toBe('the endpoint of this node has another mesh key');
    exchange(({ header, body }) => ({ header, body: body.replace('reachable', 'unknown') }));
    expect(plane.row(target)).toBeUndefined();
    exchange(({ body }) => ({ header: encodeEndpointAnswer('c/n1', body, request, keys), body }));
    expect(plane.row(target)).toBeUndefined();
    exchange();
    expect(plane.row(target)?.state).toBe('reachable');
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['no targets', '{}'],
    ['seventeen targets', JSON.stringify({ targets: Array<unknown>(17).fill({}) })],
    ['something that is no target', '{"targets":[1]}'],
    ['very much', `{"targets":[],"x":"${'x'.repeat(maxEndpointBodyBytes)}"}`],
    ['very deep lists', `{"targets":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
  ])('the agent takes no results from a body with %s', async (_, body) => {
    const { exchange, plane, because, clock } = await createPair();
    await clock.advance(11_000);
    exchange(({ header }) => ({ header, body }));
    expect(plane.row(target)).toBeUndefined();
    expect(because()).toBe('the endpoint of this node answers something else than results');
  });

  test.each([
    ['name', 'Data Base'],
    ['name', 'a\u001b[2J'],
    ['state', 'dead'],
    ['sinceMs', -1],
    ['sinceMs', 1e300],
    ['failures', 0.5],
    ['rttNs', 'fast'],
    ['lossy', 1],
    ['failure', 'x'.repeat(301)],
    ['failure', 'red \u001b[31m'],
    ['because', 7],
    ['rtts', { min: 5, p50: 4, p95: 6, p99: 7, max: 8 }],
    ['rtts', {}],
    ['loss', { loss1m: 2 }],
    ['loss', null],
    ['answer', { addresses: Array<string>(33).fill('a') }],
    ['answer', { status: 'OK' }],
    ['answer', { certificateEndsAt: 1e300 }],
    ['servers', Array<unknown>(17).fill({})],
    ['servers', [{ server: 'a', state: { state: 'x' } }]],
    ['row', { state: 'reachable', digest: 2 ** 32, ageSeconds: 0, probedSeconds: 0 }],
    ['row', { state: 'reachable', digest: 7, ageSeconds: 0, probedSeconds: -1 }],
    [
      'row',
      { state: 'reachable', digest: 7, ageSeconds: 0, probedSeconds: 0, failingServers: [16] },
    ],
  ])('a target whose %s is %j is left out', async (field, value) => {
    const { monitor, clock } = await createPair();
    const body = encodeEndpointResults(monitor.watched(), clock);
    expect(decodeEndpointResults(body, clock)?.targets).toHaveLength(1);
    const { targets } = JSON.parse(body) as { targets: [Record<string, unknown>] };
    const other = { ...targets[0], name: 'cache' };
    targets[0][field] = value;
    const read = decodeEndpointResults(JSON.stringify({ targets: [...targets, other] }), clock);
    expect(read?.isAnyMalformed).toBe(true);
    expect(read?.targets.map(({ name }) => name)).toEqual(['cache']);
  });

  test.each([
    ['of one byte each', 'x'],
    ['that take six bytes each', '\u{1f4a5}'],
  ])('all of sixteen targets fit, with the longest texts %s', (_, character) => {
    const clock = new FakeClock();
    const failure = character.repeat(2000);
    const failed = { state: 'unreachable', failure, failureKind: 'dns-refused' } as const;
    const address = '2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff';
    const watched = Array.from({ length: maxTargets }, (_, index) => {
      const name = `${String(index).padStart(2, '0')}${'n'.repeat(61)}`;
      const servers = Array.from({ length: 8 }, (__, at) => ({
        server: `[${address.slice(0, -1)}${at}]:65535`,
        state: failed,
      }));
      return {
        view: () => ({
          plane: 'endpoint',
          unknownBecause: failure,
          state: {
            ...initialState(clock.wallMs(), 0),
            ...failed,
            rttNs: 1e9,
            lastProbedAt: clock.wallMs(),
          },
          isLossy: false,
          isSlow: false,
          rtts: { min: 1e9, p50: 1e9, p95: 1e9, p99: 1e9, max: 1e9 },
          loss: { loss1m: 1 / 3, loss10m: 1 / 3, loss1h: 1 / 3 },
          answer: {
            addresses: Array<string>(500).fill(address),
            ttlSeconds: 4294967295,
            answeredBy: `${'c'.repeat(253)}/${'n'.repeat(253)}`,
            certificateEndsAt: 1.8e12,
          },
          servers,
        }),
        row: () => ({
          target: name,
          digest: 4294967295,
          plane: 'endpoint',
          state: 'unreachable',
          ageSeconds: 99999.9,
          probedSeconds: 99999.9,
          failure: 'dns-refused',
          p50Ns: 1e9,
          p99Ns: 1e9,
          failingServers: [0, 1, 2, 3, 4, 5, 6, 7],
        }),
        times: () => ({ sinceMs: -1 / 3, lookedMs: -1 / 3 }),
      } as unknown as WatchedTarget;
    });
    const body = encodeEndpointResults(watched, clock);
    expect(body.length).toBeLessThanOrEqual(maxEndpointBodyBytes);
    const read = decodeEndpointResults(body, clock);
    expect(read?.targets).toHaveLength(maxTargets);
    expect(read?.targets[0]?.view.servers[7]?.state).toMatchObject({
      state: 'unreachable',
      failureKind: 'dns-refused',
      failure: expect.any(String) as string,
    });
  });

  test('the round trips of a target that fails for long are read', async () => {
    const { clock, server, exchange, plane } = await createPair();
    const well = { outcome: 'reply', rttNs: 20_500_000 } as const;
    server.outcome = well;
    await clock.advance(40 * 60_000);
    server.isSilent = true;
    for (let minute = 0; minute < 5; minute++) {
      await clock.advance(60_000);
      exchange();
      expect(plane.view(target).state.state).toBe('unreachable');
    }
    server.isSilent = false;
    await clock.advance(60_000);
    exchange();
    expect(plane.view(target).state.state).toBe('reachable');
  });

  test('a target that has been in one state for more than a year is told, also after the clock was set by years', async () => {
    const { clock, exchange, plane, monitor } = await createPair();
    clock.stall(367 * 86_400_000);
    clock.wallOffsetMs += 56 * 366 * 86_400_000;
    await clock.advance(30_000);
    exchange();
    expect(monitor.get(target.name)?.view().state.state).toBe('reachable');
    expect(plane.view(target).state.state).toBe('reachable');
  });

  test('a text that is cut within a character is read', async () => {
    const { clock, monitor } = await createPair();
    const detail = `${'x'.repeat(299)}\u{1f4a5}`;
    monitor.setTargets([tcpTarget('database', { notProbedBecause: detail })]);
    const body = encodeEndpointResults(monitor.watched(), clock);
    expect(decodeEndpointResults(body, clock)?.targets[0]?.view.unknownBecause).toHaveLength(300);
  });

  test('results of a newer endpoint are read as far as they are known', async () => {
    const { monitor, clock } = await createPair();
    const body = encodeEndpointResults(monitor.watched(), clock);
    const { targets } = JSON.parse(body) as { targets: [Record<string, unknown>] };
    Object.assign(targets[0], { failureKind: 'quic', flows: [1, 2, 3] });
    const [read] =
      decodeEndpointResults(JSON.stringify({ targets, more: 1 }), clock)?.targets ?? [];
    expect(read?.view.state.failureKind).toBeUndefined();
    expect(read?.row.state).toBe('reachable');
  });
});
