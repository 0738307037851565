import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../../agent/config/config.js';
import { ConfigError } from '../../../../agent/platform/errors.js';
import { useFolder } from '../../../resources/folder.js';

const folder = useFolder();

const file = (text: string): string => {
  const path = join(folder, 'agent.yaml');
  writeFileSync(path, text);
  return path;
};
const nodes = { 'nodes-file': 'nodes.yaml' };

describe('loadConfig', () => {
  test('gives the documented defaults', () => {
    const config = loadConfig({ ...nodes, 'node-name': 'n1' }, {});
    expect(config).toMatchObject({
      localName: 'default/n1',
      socketPath: '/var/run/meshprobe/health.sock',
      socketPathIsDefault: true,
      probePort: 4240,
      listenAddresses: [],
      cadence: {
        icmp: {
          intervalMs: 1000,
          budgetPerSecond: 250,
          timeoutMs: 1000,
          failureThreshold: 3,
          recoveryThreshold: 2,
        },
        http: { intervalMs: 5000, budgetPerSecond: 40 },
      },
      icmpEngine: 'auto',
      probeEndpoints: true,
      apiListen: undefined,
      apiTokenFile: undefined,
      healthListen: { host: '127.0.0.1', port: 4241 },
      readinessWindowMs: 60_000,
      maxMemoryMib: undefined,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test.each(['0.0.0.0:4242', '[::]:4242', '192.0.2.1:4242'])(
    'refuses to serve the API on %s without a token, unless it is told to',
    (address) => {
      const given = { ...nodes, 'api-listen': address };
      expect(() => loadConfig(given, {})).toThrow(
        `api-listen: expected a loopback address, or --api-token-file FILE, or --api-insecure, got ${address} alone`,
      );
      expect(() => loadConfig({ ...given, 'api-insecure': 'false' }, {})).toThrow('api-listen: ');
      const port = { port: 4242 };
      expect(loadConfig({ ...given, 'api-insecure': 'true' }, {}).apiListen).toMatchObject(port);
      const guarded = loadConfig(given, { MESHPROBE_API_TOKEN_FILE: '/run/token' });
      expect(guarded).toMatchObject({ apiListen: port, apiTokenFile: '/run/token' });
    },
  );

  test.each([
    ['127.0.0.1:9100', '127.0.0.1:9100', false],
    ['127.0.0.1:9100', '0.0.0.0:9100', false],
    ['127.0.0.1:9100', '[::]:9100', false],
    ['127.0.0.1:9100', '[::1]:9100', true],
    ['127.0.0.1:9100', '127.0.0.1:9101', true],
    ['127.0.0.1:0', '127.0.0.1:0', true],
  ])('an API on %s beside metrics on %s: %s', (api, metrics, isTaken) => {
    const load = () => loadConfig({ ...nodes, 'api-listen': api, 'metrics-listen': metrics }, {});
    if (isTaken) expect(load().metricsListen).toBeDefined();
    else expect(load).toThrow('metrics-listen: expected another address than that of api-listen');
  });

  test.each(['127.0.0.1:4242', '127.9.9.9:4242', '[::1]:4242', 'localhost:4242', '4242'])(
    'serves the API on %s, which is on loopback, without a token',
    (address) => {
      const { apiListen } = loadConfig({ ...nodes, 'api-listen': address }, {});
      expect(apiListen?.port).toBe(4242);
    },
  );

  test('lets flags win over the environment, and that over the file', () => {
    const config = file('icmp-interval: 1s\nhttp-interval: 2s\nprobe-port: 5000\n');
    const environment = { MESHPROBE_HTTP_INTERVAL: '3s', MESHPROBE_PROBE_PORT: '5001' };
    const loaded = loadConfig({ ...nodes, config, 'probe-port': '5002' }, environment);
    expect(loaded.cadence.icmp.intervalMs).toBe(1000);
    expect(loaded.cadence.http.intervalMs).toBe(3000);
    expect(loaded.probePort).toBe(5002);
  });

  test('takes lists from flags, from a variable with commas and from the file', () => {
    const expected = ['127.0.0.1', '::1'];
    expect(loadConfig({ ...nodes, 'listen-address': '127.0.0.1,::1' }, {}).listenAddresses).toEqual(
      expected,
    );
    const environment = { MESHPROBE_LISTEN_ADDRESS: '127.0.0.1, ::1' };
    expect(loadConfig(nodes, environment).listenAddresses).toEqual(expected);
    const config = file('listen-address: ["127.0.0.1", "::1"]');
    expect(loadConfig({ ...nodes, config }, {}).listenAddresses).toEqual(expected);
  });

  test('takes addresses and networks of translated peers, and refuses what is neither', () => {
    const sources = (value: string) => loadConfig({ ...nodes, 'mesh-source': value }, {}).mesh;
    expect(loadConfig(nodes, {}).mesh?.trustedSources).toEqual([]);
    expect(sources('10.0.0.9, 2001:DB8::/64,10.0.0.9')?.trustedSources).toEqual([
      '10.0.0.9',
      '2001:db8::/64',
    ]);
    for (const bad of [
      '',
      'n1',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '::/129',
      'fe80::1%1',
    ]) {
      expect(() => sources(bad)).toThrow(
        'mesh-source: expected one or more IP addresses or networks',
      );
    }
  });

  test('takes names and origins for the API, from flags, a variable and the file', () => {
    const apiAllowedHosts = ['node1', 'a_b.example'];
    const apiCorsOrigins = ['https://grafana.example.com', 'http://[::1]:3000'];
    const expected = { apiAllowedHosts, apiCorsOrigins };
    const hosts = 'NODE1, a_b.example.,node1';
    const origins = 'https://Grafana.example.com,http://[::1]:3000';
    const flags = { 'api-allowed-host': hosts, 'api-cors-origin': origins };
    expect(loadConfig({ ...nodes, ...flags }, {})).toMatchObject(expected);
    const environment = { MESHPROBE_API_ALLOWED_HOST: hosts, MESHPROBE_API_CORS_ORIGIN: origins };
    expect(loadConfig(nodes, environment)).toMatchObject(expected);
    const config = file(
      'api-allowed-host: [node1, a_b.example]\napi-cors-origin: ["https://grafana.example.com", "http://[::1]:3000"]',
    );
    expect(loadConfig({ ...nodes, config }, {})).toMatchObject(expected);
  });

  test.each([
    '',
    '*',
    '*.example.com',
    'node1:4242',
    '[::1]',
    '::1',
    '127.0.0.1',
    'http://node1',
    'a b',
    'a,,b',
    'a\u001b[31m',
    'a..b',
    '.',
    '-a',
    'ü.example',
    'a'.repeat(64),
    'a.'.repeat(127) + 'a',
  ])('refuses %j as a name for the API', (name) => {
    expect(() => loadConfig({ ...nodes, 'api-allowed-host': [name] }, {})).toThrow(
      'api-allowed-host: expected one or more host names such as',
    );
  });

  test.each([
    '',
    '*',
    'null',
    'grafana.example.com',
    'https://*.example.com',
    'https://grafana.example.com/',
    'https://grafana.example.com:443',
    'http://a.example:80',
    'http://a.example:99999',
    'https://user@a.example',
    'https://a.example?x',
    'https://a\u0000.example',
    'https://a\t.example',
    'https://[::1',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
  ])('refuses %j as an origin for the API', (origin) => {
    expect(() => loadConfig({ ...nodes, 'api-cors-origin': [origin] }, {})).toThrow(
      'api-cors-origin: expected one or more origins such as',
    );
  });

  test('takes off for the health port and -1 for the memory limit, from everywhere', () => {
    const off = { healthListen: undefined, maxMemoryMib: undefined };
    expect(
      loadConfig({ ...nodes, 'health-listen': 'off', 'max-memory-mib': '-1' }, {}),
    ).toMatchObject(off);
    const config = file('health-listen: off\nmax-memory-mib: -1\n');
    expect(loadConfig({ ...nodes, config }, {})).toMatchObject(off);
    const environment = {
      MESHPROBE_HEALTH_LISTEN: '[::1]:80',
      MESHPROBE_MAX_MEMORY_MIB: '256',
      MESHPROBE_READINESS_WINDOW: '0s',
    };
    expect(loadConfig(nodes, environment)).toMatchObject({
      healthListen: { host: '::1', port: 80 },
      maxMemoryMib: 256,
      readinessWindowMs: 0,
    });
  });

  test('takes the cluster from the node name', () => {
    const config = loadConfig({ ...nodes, 'node-name': 'c1/n1' }, {});
    expect(config).toMatchObject({ localName: 'c1/n1', clusterName: 'c1' });
  });

  test('ignores the variable of the CLI and those that Kubernetes sets for a Service', () => {
    const environment = {
      MESHPROBE_SOCK: '/x.sock',
      MESHPROBE_SERVICE_HOST: '198.51.100.1',
      MESHPROBE_SERVICE_PORT_HTTP: '1',
      MESHPROBE_PORT: 'tcp://198.51.100.1:1',
      MESHPROBE_PORT_4240_TCP_ADDR: '198.51.100.1',
      MESHPROBE_PROBE_PORT: 'tcp://198.51.100.2:80',
      MESHPROBE_UDP_PORT: 'sctp://198.51.100.3:53',
      MESHPROBE_NODE_NAME: '',
    };
    expect(loadConfig(nodes, environment)).toMatchObject({ probePort: 4240, udpPort: undefined });
  });

  test.each([
    [
      'icmp-interval',
      'fast',
      'expected a duration such as 500ms, 10s or 1m30s, from 50ms to 1h0m0s, got "fast"',
    ],
    ['icmp-interval', '10', 'got "10"'],
    ['icmp-interval', '0s', 'got "0s"'],
    ['http-interval', '2h', 'got "2h"'],
    ['probe-port', '0', 'expected a whole number from 1 to 65535, got "0"'],
    ['probe-port', '65536', 'got "65536"'],
    ['probe-port', '1e3', 'got "1e3"'],
    ['icmp-failure-threshold', '-1', 'got "-1"'],
    ['listen-address', 'localhost', 'expected one or more IP addresses, got "localhost"'],
    ['listen-address', 'fe80::1%eth0', 'expected one or more IP addresses'],
    ['icmp-engine', 'magic', 'expected auto or kernel or net-ping or off, got "magic"'],
    ['enable-endpoint-health-checking', 'maybe', 'expected true or false, got "maybe"'],
    ['api-listen', 'example.org:80', 'expected host:port'],
    ['api-listen', '127.0.0.1:99999', 'expected host:port'],
    ['health-listen', 'on', 'expected off, host:port'],
    ['max-memory-mib', '0', 'expected -1 or a whole number from 16 to 1048576, got "0"'],
    ['max-memory-mib', '-2', 'got "-2"'],
    ['readiness-window', '-1s', 'got "-1s"'],
    ['node-name', 'a/b/c', 'expected a node name'],
    ['node-name', 'x'.repeat(300), '(300 characters)'],
    ['node-name', 'n\u001b[31m', 'got "n\\x1b[31m"'],
    ['cluster-name', 'a b', 'expected a cluster name'],
    ['http-budget', '0', 'expected a whole number from 1 to 100000, got "0"'],
    ['recovery-threshold', 'two', 'expected a whole number from 1 to 100, got "two"'],
    ['socket-group', '99999999999', 'expected a group name, or a number'],
    ['log-level', 'loud', 'got "loud"'],
    ['node-source', 'consul', 'expected file or kubernetes or cilium, got "consul"'],
    ['kubeconfig', '', 'expected the path of a kubeconfig, got ""'],
    ['endpoint-source', 'nodes', 'expected pods or ciliumnodes, got "nodes"'],
    ['endpoint-namespace', 'Mesh/Probe', 'expected the name of a namespace, got "Mesh/Probe"'],
    ['endpoint-selector', 'a=b c', 'expected a label selector such as a=b,c in (d,e), got "a=b c"'],
    ['endpoint-selector', '', 'expected a label selector'],
    ['exclude-selector', 'a in (b', 'expected a label selector'],
    ['cluster', 'west', 'expected NAME=KUBECONFIG with a different name each, got "west"'],
    ['cluster', 'west=', 'expected NAME=KUBECONFIG'],
    ['cluster', 'we/st=f', 'expected NAME=KUBECONFIG'],
    ['cluster', 'west=a,west=b', 'expected NAME=KUBECONFIG with a different name each'],
    ['cilium-socket', '', 'expected the path of a unix socket, at most 107 bytes, got ""'],
    ['cilium-socket', `/${'x'.repeat(107)}`, 'at most 107 bytes, got "/xxx'],
    [
      'socket-path',
      `/${'x'.repeat(218)}`,
      'the path of a unix socket, at most 107 bytes, got "/xxx',
    ],
    ['socket-path', `/${'ä'.repeat(54)}`, 'at most 107 bytes'],
    ['socket-path', '\0abstract', 'expected the path of a unix socket'],
  ])('refuses %s=%s in one line that names the flag', (name, value, words) => {
    let message = '';
    try {
      loadConfig({ ...nodes, [name]: value }, {});
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      message = (error as Error).message;
    }
    expect(message).toContain(`${name}: expected`);
    expect(message).toContain(words);
    expect(message).toContain(`(flag --${name})`);
    expect(message.split('\n')).toHaveLength(1);
  });

  test('takes the longest path that a unix socket may have', () => {
    const path = `/${'x'.repeat(106)}`;
    const flags = { ...nodes, 'socket-path': path, 'cilium-socket': path };
    expect(loadConfig(flags, {}).socketPath).toBe(path);
  });

  test('refuses a pipe as its file and does not wait for a writer', () => {
    const pipe = join(folder, 'pipe.yaml');
    execFileSync('mkfifo', [pipe]);
    expect(() => loadConfig({ ...nodes, config: pipe }, {})).toThrow('it is no regular file');
  });

  test.each([
    ['icmp-intervall: 1s', 'icmp-intervall: unknown setting'],
    ['\nprobe-port: yes', 'agent.yaml:2'],
    ['probe-port: [1, 2]', 'got a list of 2'],
    ['- a', 'expected a mapping, got a list of 1'],
    ['a: [', 'agent.yaml: '],
    ['['.repeat(20_000), 'nested deeper than 100 levels'],
    ['node-name: *b', 'Unresolved alias'],
    ['icmp-interval: 1', 'got 1'],
  ])('refuses a file with %.40j and says where', (text, words) => {
    expect(() => loadConfig({ ...nodes, config: file(text) }, {})).toThrow(words);
  });

  test('refuses unknown settings', () => {
    expect(() => loadConfig(nodes, { MESHPROBE_ICMP_INTERVALL: '1s' })).toThrow(
      'MESHPROBE_ICMP_INTERVALL: unknown setting',
    );
    expect(() => loadConfig({ ...nodes, config: '/no/such/file' }, {})).toThrow(
      'there is no such file',
    );
    expect(() => loadConfig({}, {})).toThrow('nodes-file: expected');
    expect(() => loadConfig({ ...nodes, 'node-name': 'c1/n', 'cluster-name': 'c2' }, {})).toThrow(
      'expected a node of cluster "c2"',
    );
  });

  test('names every mistake, not only the first', () => {
    const flags = { ...nodes, 'probe-port': 'x', 'icmp-interval': 'y' };
    expect(() => loadConfig(flags, {})).toThrow(/^probe-port: .*\nicmp-interval: /);
  });
});
