import { describe, expect, test } from 'vitest';
import type { FlowsLine, MtuLine, PathTestBegin } from '../../../../api/schema/v1/path-tests.js';
import { flowsLines, renderFlowsLine } from '../../../../cli/view/flows-text.js';
import { renderEvent } from '../../../../cli/view/event-text.js';
import { hopsLine } from '../../../../cli/view/hops-text.js';
import { largeLines } from '../../../../cli/view/large-text.js';
import { udpLines } from '../../../../cli/view/udp-text.js';
import { renderMtuLine } from '../../../../cli/view/mtu-text.js';
import { createTraceView } from '../../../../cli/view/trace-text.js';

const begin = {
  type: 'begin',
  node: 'c/n2',
  plane: 'host',
  protocol: 'icmp',
  address: '10.1.2.2',
} as const satisfies Omit<PathTestBegin, 'test'>;

describe('the usual hops', () => {
  test('are one line for both planes, and none where no reply told them', () => {
    const [host, endpoint] = [{ hops: 4 }, { hops: 1 }];
    expect(hopsLine({ paths: { host, endpoint } })).toBe(
      'Its replies usually take 4 hops (host plane) and 1 hop (endpoint plane)\n',
    );
    expect(hopsLine({ paths: { host: {}, endpoint } })).toBe(
      'Its replies usually take 1 hop (endpoint plane)\n',
    );
    expect(hopsLine({ paths: { host: {} } })).toBe('');
  });

  test('that change are an event, with the name of the node escaped', () => {
    const [type, at, plane] = ['hops', '2026-03-01T00:00:00Z', 'host'] as const;
    const path = { node: 'c/\u001bn', plane, address: '192.0.2.1' };
    const event = { type, id: 1, at, ...path, previousHops: 4, hops: 6 } as const;
    expect(renderEvent(event, (_, text) => text)).toBe(
      '2026-03-01T00:00:00Z  1  hops     c/\\x1bn host 192.0.2.1: replies take 4 -> 6 hops\n',
    );
  });
});

describe('a trace', () => {
  test('is one line a hop, and what it comes to', () => {
    const render = createTraceView();
    const text = [
      { ...begin, test: 'trace' as const },
      { type: 'hop' as const, ttl: 1, address: '10.1.1.1', rttNs: 43_896, tries: 1 },
      { type: 'hop' as const, ttl: 2, tries: 3 },
      {
        type: 'hop' as const,
        ttl: 3,
        address: '10.3.2.1',
        rttNs: 1_000_000,
        tries: 1,
        says: 'no\u001b',
      },
      {
        type: 'end' as const,
        isReached: false,
        lastAnswering: { ttl: 3, address: '10.3.2.1' },
        triedTtl: 20,
      },
    ].map(render);
    expect(text.join('')).toBe(`trace to c/n2, host plane, 10.1.2.2, by ICMP
  1   10.1.1.1          43.896µs
  2   no answer
  3   10.3.2.1          1ms   (no\\x1b)
Not reached: 10.3.2.1, hop 3, is the last that answers; tried up to hop 20.
`);
  });

  test('says so where nothing answers, and escapes what the agent calls the node', () => {
    const render = createTraceView();
    expect(render({ ...begin, test: 'trace', node: 'c/\u202en' })).toContain('c/\\u202en');
    expect(render({ type: 'end', isReached: false, triedTtl: 20 })).toBe(
      'No hop answers, up to the 20th.\n',
    );
  });
});

describe('a search for the largest packet', () => {
  const end = (line: Partial<Extract<MtuLine, { type: 'end' }>>) =>
    renderMtuLine({ type: 'end', result: 'limited', packets: 12, ...line });
  const limited = { largestBytes: 1410, smallestLostBytes: 1411, interfaceBytes: 1500 };

  test('says whether a router says so', () => {
    expect(end(limited)).toBe(
      'Packets above 1,410 bytes vanish, and no router says so. The interface says 1,500.\n',
    );
    expect(end({ ...limited, largestBytes: 1450, smallestLostBytes: 1451 })).toContain(
      'The interface says 1,500, exactly 50 more: as much as VXLAN over IPv4 or Geneve over IPv4 takes.',
    );
    expect(end({ ...limited, saidBy: { address: '10.2.1.2', bytes: 1410 } })).toBe(
      'Packets above 1,410 bytes are refused: 10.2.1.2 says so. The interface says 1,500.\n',
    );
    expect(end({ ...limited, untrue: { address: '10.2.1.2', bytes: 68 } })).toContain(
      '10.2.1.2 names 68 bytes, which is not the limit.',
    );
  });

  test('says between which sizes the limit is where it is not exact', () => {
    expect(end({ ...limited, smallestLostBytes: 1420 })).toContain(
      '(1,420 bytes are lost; sizes between were not tried)',
    );
  });

  test('says what the kernel once learnt where all passes', () => {
    const fits = { result: 'fits', largestBytes: 1500, interfaceBytes: 1500 } as const;
    expect(end({ ...fits, kernelBytes: 1500 })).toBe(
      'Packets of 1,500 bytes pass, the largest that the interface takes.\n',
    );
    expect(end({ ...fits, kernelBytes: 1400 })).toContain('The kernel believes 1,400');
  });
});

describe('a test of flows', () => {
  const end = (line: Partial<Extract<FlowsLine, { type: 'end' }>>) =>
    renderFlowsLine({
      type: 'end',
      result: 'sticky',
      tried: 64,
      failing: 6,
      sometimes: 0,
      ports: [40_001, 40_002, 40_003, 40_004, 40_005, 40_006],
      ...line,
    });

  test('says how many paths there may be, with the ports', () => {
    expect(end({})).toBe(
      '6 of 64 flows never pass, the others always do: one of about 11 equal paths (5 to 23) is broken, there or back; if both, one of about 21.\n' +
        'Their source ports: 40001, 40002, 40003, 40004, 40005, 40006\n',
    );
    expect(end({ sometimes: 1 })).toContain('1 other fails sometimes');
    expect(end({ sometimes: 2 })).toContain('2 others fail sometimes');
  });

  test('claims no broken path where it saw none', () => {
    expect(end({ result: 'passing', failing: 0, ports: [] })).toBe('All 64 flows always pass.\n');
    expect(end({ result: 'failing', failing: 64 })).toBe('None of 64 flows passes.\n');
    expect(end({ result: 'lossy', failing: 2, sometimes: 20 })).toBe(
      '22 of 64 flows fail, 2 of them always: packets are lost whatever their flow.\n',
    );
  });
});

describe('the flows of a node', () => {
  const flows = {
    result: 'sticky' as const,
    tried: 64,
    failing: 2,
    sometimes: 0,
    ports: [40_001, 40_002],
    at: '2026-11-22T12:00:00Z',
  };
  const addresses = { host: ['10.1.2.2'], endpoint: [] };

  test('are named where some of them fail, with the ports', () => {
    expect(flowsLines({ addresses, paths: { host: { flows } } })).toBe(
      'Flows (host plane, 10.1.2.2): 2 of 64 flows never pass, the others always do: one of about 32 equal paths (9 to 116) is broken, there or back; if both, one of about 63.\n' +
        'Their source ports: 40001, 40002\n',
    );
    expect(flowsLines({ addresses, paths: { host: {} } })).toBe('');
    const passing = { ...flows, result: 'passing' as const, failing: 0, ports: [] };
    expect(flowsLines({ addresses, paths: { host: { flows: passing } } })).toBe('');
  });
});

describe('large packets of a node', () => {
  const addresses = { host: ['10.1.2.2'], endpoint: ['10.9.2.2'] };
  const lost = { state: 'lost' as const, size: 16_000 };

  test('are named where they are lost, by plane, with the limit and who says so', () => {
    const limit = { bytes: 1410 };
    const lines = largeLines({
      addresses,
      paths: {
        host: { large: { ...lost, limit } },
        endpoint: { large: { ...lost, limit: { ...limit, saidBy: '10.3.0.1\u001b' } } },
      },
    });
    expect(lines).toBe(
      'Packets above 1410 bytes are lost (host plane, 10.1.2.2), small ones pass; nobody says so; meshprobe mtu tests again\n' +
        'Packets above 1410 bytes are lost (endpoint plane, 10.9.2.2), small ones pass; 10.3.0.1\\x1b says so; meshprobe mtu tests again\n',
    );
    expect(largeLines({ addresses, paths: { host: { large: lost } } })).toBe(
      'Large packets are lost (host plane, 10.1.2.2), small ones pass; meshprobe mtu tests again\n',
    );
  });

  test('are not mentioned where they pass, or nothing is known', () => {
    expect(largeLines({ addresses, paths: { host: { large: { ...lost, state: 'ok' } } } })).toBe(
      '',
    );
    expect(largeLines({ addresses, paths: { host: {} } })).toBe('');
  });
});

describe('datagrams to a node', () => {
  const addresses = { host: ['10.1.2.2'], endpoint: [] };
  const none = { lost: 0, lostThere: 0, lostBack: 0 };
  const order = { reorderedThere: 0, reorderedBack: 0, duplicatedThere: 0, duplicatedBack: 0 };
  const good = {
    windowSeconds: 600,
    sent: 480,
    ...none,
    ...order,
    lastAnswer: '2026-01-31T14:02:07Z',
  };
  const line = (udp: object) =>
    udpLines({ addresses, paths: { host: { udp: { ...good, ...udp } } } }).replace(
      'UDP in the last 10 minutes (host plane, 10.1.2.2): ',
      '',
    );

  test('are told with the ways on which they were lost, overtaken and doubled', () => {
    expect(udpLines({ addresses, paths: { host: { udp: good } } })).toBe(
      'UDP in the last 10 minutes (host plane, 10.1.2.2): 480 datagrams, none lost\n',
    );
    expect(
      line({ lost: 12, lostThere: 9, lostBack: 2, reorderedThere: 3, duplicatedBack: 1 }),
    ).toBe(
      '480 datagrams, 12 lost (9 there, 2 back, 1 either way); 3 reordered (3 there); 1 duplicated (1 back)\n',
    );
  });

  test('are no loss where the node never answered', () => {
    const silent = { ...good, lost: 480, lastAnswer: undefined };
    expect(udpLines({ addresses, paths: { host: { udp: silent } } })).toContain(
      '480 datagrams sent, none was ever answered; the node may have no --udp-port\n',
    );
    expect(line({ lost: 480 })).toBe('all of 480 datagrams lost since 2026-01-31T14:02:07Z\n');
    expect(line({ sent: 0 })).toBe('none sent; the last answer came at 2026-01-31T14:02:07Z\n');
  });

  test('are not mentioned where none are sent, and what an agent says is escaped', () => {
    expect(udpLines({ addresses, paths: { host: {} } })).toBe('');
    expect(line({ sent: 0, lastAnswer: 'now\u001b' })).toContain('now\\x1b');
  });
});
