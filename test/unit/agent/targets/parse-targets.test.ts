import { describe, expect, test } from 'vitest';
import { parseTargetsFile } from '../../../../agent/targets/definition/targets-file.js';

const one = async (text: string) => (await parseTargetsFile(`targets: [${text}]`))[0];

describe('a targets file', () => {
  test('takes names of other letters as the DNS has them, as a URL does', async () => {
    const ascii = 'xn--bcher-kva.example';
    const probe = async (text: string) => (await one(`{name: a, ${text}}`))?.probe;
    expect(await probe('tcp: "B\u00fccher.example:443"')).toMatchObject({ tcp: { host: ascii } });
    expect(await probe('icmp: b\u00fccher.example')).toMatchObject({ host: ascii });
    expect(await probe('dns: {query: b\u00fccher.example}')).toMatchObject({
      dns: { query: ascii },
    });
    expect(await probe('http: {url: "http://b\u00fccher.example"}')).toMatchObject({
      http: { url: `http://${ascii}/` },
    });
  });

  test('gives targets of all four kinds, with their defaults', async () => {
    const text = `targets:
  - name: registry
    http: { url: "HTTPS://Registry.example/v2/", method: GET, expectStatus: [401, 200], headersFile: /etc/meshprobe/registry-headers, ca: /etc/ssl/example.pem, tlsName: Other.example. }
    from: both
  - name: corp-dns
    dns: { query: Intranet.example., type: A, servers: ["198.51.100.53", "198.51.100.54:5353", "2001:DB8::53", "[2001:db8::1]:54"], expect: [198.51.100.80] }
    interval: 30s
    timeout: 500ms
    from: host
  - name: database
    tcp: db.example:5432
  - name: v6
    tcp: "[2001:db8::7]:443"
    from: endpoint
  - name: gateway
    icmp: 198.51.100.254
`;
    const digest = expect.any(Number) as number;
    const standard = { from: ['host', 'endpoint'], intervalMs: 3000, timeoutMs: 1000, digest };
    expect(await parseTargetsFile(text)).toEqual([
      {
        ...standard,
        name: 'registry',
        probe: {
          kind: 'http',
          http: {
            url: 'https://registry.example/v2/',
            method: 'GET',
            expectStatus: [200, 401],
            headersFile: '/etc/meshprobe/registry-headers',
            caFile: '/etc/ssl/example.pem',
            tlsName: 'other.example',
          },
        },
      },
      {
        ...standard,
        name: 'corp-dns',
        from: ['host'],
        intervalMs: 30_000,
        timeoutMs: 500,
        probe: {
          kind: 'dns',
          dns: {
            query: 'intranet.example',
            type: 'A',
            servers: ['198.51.100.53', '198.51.100.54:5353', '2001:db8::53', '[2001:db8::1]:54'],
            expect: ['198.51.100.80'],
          },
        },
      },
      {
        ...standard,
        name: 'database',
        probe: { kind: 'tcp', tcp: { host: 'db.example', port: 5432 } },
      },
      {
        ...standard,
        name: 'v6',
        from: ['endpoint'],
        probe: { kind: 'tcp', tcp: { host: '2001:db8::7', port: 443 } },
      },
      { ...standard, name: 'gateway', probe: { kind: 'icmp', host: '198.51.100.254' } },
    ]);
  });

  test('may be JSON', async () => {
    const text = '{"targets": [{"name": "a", "icmp": "198.51.100.1", "from": "host"}]}';
    expect(await parseTargetsFile(text)).toMatchObject([{ name: 'a', from: ['host'] }]);
  });

  test('may have no targets', async () => {
    expect(await parseTargetsFile('targets: []')).toEqual([]);
  });

  test('takes any status where the list of them is empty, and success where there is none', async () => {
    const statuses = async (more: string) => {
      const target = await one(`{name: a, http: {url: "http://b/"${more}}}`);
      return target?.probe.kind === 'http' ? target.probe.http.expectStatus : undefined;
    };
    expect(await statuses('')).toEqual([200, 201, 202, 203, 204, 205, 206]);
    expect(await statuses(', expectStatus: []')).toEqual([]);
  });
});

describe('the digest of a target', () => {
  const digest = async (text: string) => (await one(text))?.digest;
  const http = (more: string) => `{name: a, http: {url: "https://b.example/"${more}}}`;

  test('does not depend on the order of keys, and on what does not change the probe', async () => {
    const first = await digest('{name: a, dns: {query: b.example, type: A}, interval: 10s}');
    expect(first).toBe(await digest('{from: host, dns: {type: A, query: B.EXAMPLE.}, name: z}'));
    const ips = await digest('{name: a, dns: {query: b, expect: [198.51.100.1, 198.51.100.2]}}');
    expect(ips).toBe(
      await digest('{name: a, dns: {query: b, expect: [198.51.100.2, 198.51.100.1]}}'),
    );
  });

  test('does not tell of files', async () => {
    expect(await digest(http(''))).toBe(await digest(http(', headersFile: /a, ca: /b')));
  });

  test.each([', method: HEAD', ', expectStatus: [200]', ', tlsName: c.example'])(
    'is another one with %s',
    async (more) => {
      expect(await digest(http(more))).not.toBe(await digest(http('')));
    },
  );

  test('is a number of 32 bits', async () => {
    const value = (await digest('{name: a, tcp: "b:1"}')) ?? NaN;
    expect(Number.isInteger(value) && value >= 0 && value < 2 ** 32).toBe(true);
  });
});
