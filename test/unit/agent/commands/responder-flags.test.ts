import { expect, test } from 'vitest';
import { readResponderFlags } from '../../../../agent/commands/responder-flags.js';

test('what Kubernetes sets for Services is no port, and any other text is told', () => {
  const links = {
    MESHPROBE_PROBE_PORT: 'tcp://198.51.100.1:80',
    MESHPROBE_UDP_PORT: 'udp://198.51.100.1:53',
  };
  expect(readResponderFlags([], links)).toMatchObject({ port: 4240, udpPort: undefined });
  expect(() => readResponderFlags([], { MESHPROBE_PROBE_PORT: 'tcp' })).toThrow(
    'probe-port: expected a whole number from 1 to 65535, got "tcp" (environment variable MESHPROBE_PROBE_PORT)',
  );
});
