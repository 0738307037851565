import { expect, test } from 'vitest';
import { takenByTunnel } from '../../../../../api/schema/v1/tunnel-overheads.js';

test.each([
  [1450, 1500, 'VXLAN over IPv4 or Geneve over IPv4'],
  [1430, 1500, 'VXLAN over IPv6 or Geneve over IPv6'],
  [1480, 1500, 'IPIP'],
  [8951 - 1, 9000, 'VXLAN over IPv4 or Geneve over IPv4'],
  [1420, 1500, 'WireGuard'],
  [1440, 1500, 'WireGuard over IPv4'],
  // 1,420 bytes would be filled up to 1,424.
  [1408, 1500, 'WireGuard over IPv6'],
  // 20 + 8 + 8 + 1,446 + 2 + 16 = 1,500.
  [1446, 1500, 'IPsec over IPv4'],
  [1426, 1500, 'IPsec over IPv6'],
])(
  'a limit of %d where the interface takes %d is what %s takes',
  (bytes, interfaceBytes, words) => {
    expect(takenByTunnel(bytes, interfaceBytes)).toEqual({ words, hasDevice: false });
  },
);

test.each([
  [1410, 1500],
  [1449, 1500],
  [1500, 1500],
  [68, 65_535],
])('a limit of %d where the interface takes %d is that of no tunnel', (bytes, interfaceBytes) => {
  expect(takenByTunnel(bytes, interfaceBytes)).toBeUndefined();
});

test('a tunnel of which there is a device goes before others', () => {
  const taken = (...devices: ('geneve' | 'wireguard')[]) => takenByTunnel(1450, 1500, devices);
  expect(taken('geneve')).toEqual({ words: 'Geneve over IPv4', hasDevice: true });
  expect(taken('wireguard')).toMatchObject({ hasDevice: false });
});
