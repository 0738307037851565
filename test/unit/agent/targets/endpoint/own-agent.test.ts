import { describe, expect, test } from 'vitest';
import {
  defaultGateways,
  defaultGateways6,
  OwnAgent,
} from '../../../../../agent/targets/endpoint/own-agent.js';

const route = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	00000000	0101F40A	0003	0	0	0	00000000	0	0	0
eth0	0000F40A	00000000	0001	0	0	0	0000FFFF	0	0	0
eth1	00000000	00000000	0001	0	0	0	00000000	0	0	0
`;
const route6 = `fd00000000000000000000000000000a 80 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 fd000000000000000000000000000001 00000400 00000001 00000000 00000003     eth0
00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo
`;

describe('where the agent of this node may send from', () => {
  test('the default gateway is read from the routes', () => {
    expect(defaultGateways(route)).toEqual(['10.244.1.1']);
    expect(defaultGateways6(route6)).toEqual(['fd00::1']);
  });

  test.each(['', '\n\n', 'eth0', 'x\neth0\t00000000\tZZ\t0003', '\u0000'.repeat(99)])(
    'what is no route is none: %j',
    (text) => {
      expect(defaultGateways(text)).toEqual([]);
      expect(defaultGateways6(text)).toEqual([]);
    },
  );

  test('the own addresses and the configured ones are taken, others are not', async () => {
    const agent = await OwnAgent.open({ isTrusted: (ip) => ip === '198.51.100.7' });
    try {
      expect(agent.has('127.0.0.1')).toBe(true);
      expect(agent.has('::ffff:127.0.0.1')).toBe(true);
      expect(agent.has('198.51.100.7')).toBe(true);
      expect(agent.has('203.0.113.9')).toBe(false);
      expect(agent.has('')).toBe(false);
    } finally {
      agent.stop();
    }
  });
});
