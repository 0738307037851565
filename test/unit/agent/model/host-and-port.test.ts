import { expect, test } from 'vitest';
import { hostAndPort, serverAddressOf } from '../../../../agent/model/host-and-port.js';

test.each([
  ['10.0.0.1', 5353, '10.0.0.1:5353'],
  ['2001:db8::1', 5353, '[2001:db8::1]:5353'],
  ['api.example.com', 443, 'api.example.com:443'],
])('%s and %i are written %s, and are read again', (host, port, text) => {
  expect(hostAndPort(host, port)).toBe(text);
  expect(serverAddressOf(text)).toEqual({ ip: host, port });
});

test('a DNS server without a port is asked at port 53', () => {
  for (const ip of ['10.0.0.1', '2001:db8::1'])
    expect(serverAddressOf(ip)).toEqual({ ip, port: 53 });
});
