/** One key of a target in a targets file. */
interface TargetKey {
  readonly form: string;
  readonly meaning: string;
}

/** The keys of a target. Of the first four it has one. `npm run docs` lists them in docs/reference.md. */
export const targetKeys = {
  name: {
    form: '1 to 63 of `a-z` `0-9` `-`',
    meaning: 'Listed once. One of the built-in names replaces that target',
  },
  dns: {
    form: 'a mapping, see below',
    meaning: 'A question to DNS servers, each asked for itself',
  },
  tcp: { form: '`HOST:PORT` or `[IPv6]:PORT`', meaning: 'A TCP connection is made and closed' },
  http: { form: 'a mapping, see below', meaning: 'A request by HTTP or HTTPS' },
  icmp: { form: 'a host name or an IP address', meaning: 'An ICMP echo' },
  from: {
    form: '`host`, `endpoint` or `both`',
    meaning:
      'Where it is probed from: each node, its endpoint on the pod network, or both (default: `both`)',
  },
  interval: {
    form: 'a duration from 1s to 1h',
    meaning:
      'The shortest time between two probes from one plane of one node (default: `3s`, or the timeout where that is longer)',
  },
  timeout: {
    form: 'a duration from 100ms to 30s, not above the interval',
    meaning: 'The total deadline of one probe, with the resolution of a name (default: `1s`)',
  },
} as const satisfies Record<string, TargetKey>;

/** The keys of `dns`. */
export const dnsKeys = {
  query: { form: 'a name', meaning: 'Asked for as it is, without a search list' },
  type: { form: '`A` or `AAAA`', meaning: 'Default: `A`' },
  servers: {
    form: 'a list of `IP`, `IP:PORT` or `[IPv6]:PORT`, at most 8',
    meaning: 'Default: the nameservers of resolv.conf where the probe is sent from',
  },
  expect: {
    form: 'a list of IP addresses',
    meaning: 'All of them and no other must be in an answer (default: any will do)',
  },
} as const satisfies Record<string, TargetKey>;

/** The keys of `http`. */
export const httpKeys = {
  url: {
    form: 'an http or https URL',
    meaning: 'Without a user and password. It is shown to readers, but for its query',
  },
  method: { form: '`GET` or `HEAD`', meaning: 'Default: `GET`' },
  expectStatus: {
    form: 'a list of numbers from 200 to 599',
    meaning: 'Each of them is well; `[]` is any (default: 200 to 206). A redirect is not followed',
  },
  headersFile: {
    form: 'the absolute path of a file',
    meaning:
      'Lines of `Name: value` to send, with an http URL in clear. The file is read again when it changes. What is in it is never shown, logged or told',
  },
  ca: {
    form: 'the absolute path of a PEM file',
    meaning: 'Who signs the certificate (default: those that Node knows)',
  },
  tlsName: {
    form: 'a host name or an IP address',
    meaning: 'What the certificate is to be of (default: the host of the URL)',
  },
} as const satisfies Record<string, TargetKey>;
