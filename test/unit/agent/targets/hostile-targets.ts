const many = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join('\n');

const target = (rest: string): string => `targets: [{name: a, ${rest}}]`;
const http = (url: string, more = ''): string =>
  target(`http: {url: ${JSON.stringify(url)}${more}}`);
const dns = (rest: string): string => target(`dns: {query: b.example, ${rest}}`);

const bomb = `a: &a [x,x,x,x,x,x,x,x,x]
b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]
c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]
d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]
targets: *d
`;

/** Texts of targets files that are refused, and what the one line says. */
export const hostileTargets: readonly (readonly [text: string, words: string])[] = [
  // No mapping with targets.
  ['', 'the file: expected a mapping with targets, got null'],
  ['\0', 'the file: expected a mapping'],
  ['\0\x01\x02\x7fELF', 'the file: expected a mapping'],
  [Buffer.from([0xff, 0xfe, 0x41, 0x00]).toString('utf8'), 'the file: expected a mapping'],
  ['\u202etargets: []', 'the file: expected no keys but targets, got "\\u{202e}targets"'],
  ['\x1b[31mred', 'the file: expected a mapping with targets, got "\\x1b[31mred"'],
  ['just text', 'the file: expected a mapping with targets, got "just text"'],
  ['- a\n- b', 'the file: expected a mapping with targets, got a list of 2'],
  ['[]', 'the file: expected a mapping with targets, got an empty list'],
  ['7', 'the file: expected a mapping with targets, got 7'],
  ['.nan', 'got NaN'],
  ['target: []', 'the file: expected no keys but targets, got "target"'],
  ['targets: []\nmore: 1', 'the file: expected no keys but targets, got "more"'],
  ['{}', 'targets: expected a list of targets, got nothing'],
  ['targets:', 'targets: expected a list of targets, got null'],
  ['targets: auto', 'targets: expected a list of targets, got "auto"'],
  ['targets: {a: b}', 'targets: expected a list of targets, got a mapping'],
  ['targets: 1e999', 'targets: expected a list of targets, got Infinity'],
  // No YAML, no JSON, or more than that.
  ['targets: [', 'expected YAML, got an error'],
  ['{"targets": [', 'expected YAML, got an error'],
  ['{"targets": [1,]', 'expected YAML, got an error'],
  ['targets: []\n---\ntargets: []', 'expected YAML, got an error'],
  ['targets: []\ntargets: []', 'expected YAML, got an error: Map keys must be unique'],
  ['{"targets": [], "targets": []}', 'targets: expected this key once, got it again in line 1'],
  [
    '{"targets": [{"name": "a",\n"icmp": "198.51.100.1", "na\\u006de": "b"}]}',
    'targets[0].name: expected this key once, got it again in line 2',
  ],
  ['targets:\n  - name: a\n    icmp: 198.51.100.1\n    name: b', 'Map keys must be unique'],
  ['targets: *a', 'Unresolved alias'],
  [bomb, 'Excessive alias count'],
  ['&a [*a]', 'expected a mapping with targets'],
  ['targets: &a [*a]', 'targets[0]: expected a mapping'],
  ['targets: !!binary aGVsbG8=', 'targets: expected a list of targets'],
  ['<<: {targets: []}', 'expected no keys but targets, got "<<"'],
  ['? {a: b}\n: c', 'the file: expected no keys but targets'],
  ['['.repeat(20_000), 'expected YAML, got an error'],
  ['{"targets":'.repeat(20_000), 'expected YAML, got an error'],
  ['targets:\n\t- a', 'expected YAML, got an error'],
  ['{"__proto__": {"targets": []}}', 'expected no keys but targets, got "__proto__"'],
  ['constructor: []', 'expected no keys but targets, got "constructor"'],
  // Items that are no targets.
  ['targets: [a]', 'targets[0]: expected a mapping with name, dns, tcp, http, icmp'],
  ['targets: [null]', 'targets[0]: expected a mapping'],
  ['targets: [[]]', 'targets[0]: expected a mapping'],
  ['targets: [{}]', 'targets[0].name: expected a name of 1 to 63 of a-z, 0-9 and -'],
  [
    `targets:\n${many(17, (i) => `  - {name: t${i}, icmp: 198.51.100.1}`)}`,
    'targets: expected a list of at most 16 targets, got a list of 17',
  ],
  [`{"targets": [${'1,'.repeat(30_000)}1]}`, 'got a list of 30001'],
  // Names.
  [
    'targets: [{name: 7, icmp: 198.51.100.1}]',
    'targets[0].name: expected a name of 1 to 63 of a-z, 0-9 and -, not at its ends, got 7',
  ],
  ['targets: [{name: "", icmp: 198.51.100.1}]', 'targets[0].name: expected a name'],
  ['targets: [{name: "a b", icmp: 198.51.100.1}]', 'got "a b"'],
  ['targets: [{name: A, icmp: 198.51.100.1}]', 'got "A"'],
  ['targets: [{name: -a, icmp: 198.51.100.1}]', 'got "-a"'],
  ['targets: [{name: "a\\nb", icmp: 198.51.100.1}]', 'got "a\\x0ab"'],
  ['targets: [{name: "a\\n", icmp: 198.51.100.1}]', 'got "a\\x0a"'],
  ['targets: [{name: "\\e]0;x\\a", icmp: 198.51.100.1}]', 'got "\\x1b]0;x\\x07"'],
  ['targets: [{name: "é", icmp: 198.51.100.1}]', 'targets[0].name: expected a name'],
  [`targets: [{name: ${'a'.repeat(64)}, icmp: 198.51.100.1}]`, '(64 characters)'],
  [`targets: [{name: ${'a'.repeat(60_000)}, icmp: 198.51.100.1}]`, '(60000 characters)'],
  ['targets: [{name: __proto__, icmp: 198.51.100.1}]', 'got "__proto__"'],
  [
    'targets: [{name: a, icmp: 198.51.100.1}, {name: a, tcp: "b:1"}]',
    'targets[1].name: expected a name not listed before (see targets[0].name), got "a"',
  ],
  // Kinds.
  ['targets: [{name: a}]', 'targets[0]: expected one of dns, tcp, http, icmp, got a mapping'],
  [target('icmp: null'), 'targets[0]: expected one of dns, tcp, http, icmp'],
  [target('icmp: 198.51.100.1, tcp: "b:1"'), 'targets[0].tcp: expected tcp alone, got "icmp"'],
  [
    target('udp: "b:1"'),
    'targets[0]: expected no keys but name, dns, tcp, http, icmp, from, interval, timeout, got "udp"',
  ],
  [target('"\\e[2J": 1'), 'got "\\x1b[2J"'],
  // Common fields.
  [
    target('icmp: 198.51.100.1, from: pod'),
    'targets[0].from: expected host or endpoint or both, got "pod"',
  ],
  [
    target('icmp: 198.51.100.1, from: [host]'),
    'targets[0].from: expected host or endpoint or both, got a list of 1',
  ],
  [
    target('icmp: 198.51.100.1, interval: 5'),
    'targets[0].interval: expected a duration such as 500ms, 10s or 1m30s, from 1s to 1h0m0s, got 5',
  ],
  [target('icmp: 198.51.100.1, interval: 1ms'), 'targets[0].interval: expected a duration'],
  [target('icmp: 198.51.100.1, interval: 99999999h'), 'got "99999999h"'],
  [target('icmp: 198.51.100.1, interval: -5s'), 'got "-5s"'],
  [target('icmp: 198.51.100.1, interval: .nan'), 'got NaN'],
  [target('icmp: 198.51.100.1, interval: {s: 5}'), 'got a mapping'],
  [target('icmp: 198.51.100.1, timeout: 0s'), 'targets[0].timeout: expected a duration'],
  [target('icmp: 198.51.100.1, timeout: 1h'), 'targets[0].timeout: expected a duration'],
  [
    target('icmp: 198.51.100.1, interval: 5s, timeout: 6s'),
    'targets[0].timeout: expected a duration not above the interval of 5s, got "6s"',
  ],
  // ICMP.
  [target('icmp: 7'), 'targets[0].icmp: expected a host name or an IP address, got 7'],
  [
    target('icmp: {host: b}'),
    'targets[0].icmp: expected a host name or an IP address, got a mapping',
  ],
  [target('icmp: 10.0.0.256'), 'got "10.0.0.256"'],
  [target('icmp: 0x7f.1'), 'targets[0].icmp: expected a host name'],
  [target('icmp: 0.0.0.0'), 'targets[0].icmp: expected the address of one host'],
  [target('icmp: 255.255.255.255'), 'expected a unicast address'],
  [target('icmp: "ff02::1"'), 'expected a unicast address'],
  [target('icmp: "fe80::1%eth0"'), 'targets[0].icmp: expected'],
  [target('icmp: "a..b"'), 'got "a..b"'],
  [target('icmp: "-f"'), 'got "-f"'],
  [target(`icmp: ${'a.'.repeat(130)}a`), 'targets[0].icmp: expected a host name'],
  [target('icmp: "a b"'), 'got "a b"'],
  [target('icmp: "$(reboot)"'), 'got "$(reboot)"'],
  // TCP.
  [target('tcp: 5432'), 'targets[0].tcp: expected HOST:PORT or [IPv6]:PORT, got 5432'],
  [target('tcp: db.example'), 'got "db.example"'],
  [target('tcp: "db.example:0"'), 'got "db.example:0"'],
  [target('tcp: "db.example:65536"'), 'got "db.example:65536"'],
  [target('tcp: "db.example:1e3"'), 'got "db.example:1e3"'],
  [target('tcp: "2001:db8::1"'), 'got "2001:db8::1"'],
  [target('tcp: "[198.51.100.1]:1"'), 'got "[198.51.100.1]:1"'],
  [target('tcp: "[::]:1"'), 'expected the address of one host'],
  [target('tcp: ":1"'), 'got ":1"'],
  [target('tcp: "user@db.example:1"'), 'got "…@db.example:1"'],
  // Secrets in the wrong place.
  [target('tcp: "postgres://app:secret@db.example:5432"'), 'got "…@db.example:5432"'],
  [target('icmp: "https://user:secret@b.example"'), 'got "…@b.example"'],
  [target('http: "https://user:secret@b.example/"'), 'got "…@b.example/"'],
  [target('http: "https://b.example/?token=secret"'), 'got "https://b.example/?…"'],
  [target('dns: "https://user:secret@b.example/"'), 'got "…@b.example/"'],
  [dns('servers: ["user:secret@198.51.100.1"]'), 'got "…@198.51.100.1"'],
  ['targets: "https://user:secret@b.example/"', 'got "…@b.example/"'],
  [http('https://b/', ', tlsName: "https://user:secret@b.example"'), 'got "…@b.example"'],
  [http('https://b/', ', "Authorization: Bearer secret": 1'), 'got "Authorization:…"'],
  [http('https://b/', ', "Authorization: Bearer secret@b": 1'), 'got "Authorization:…"'],
  [target('icmp: b, "Authorization: Bearer secret": 1'), 'got "Authorization:…"'],
  [target('icmp: b, from: "https://user:secret@b.example"'), 'got "…@b.example"'],
  [target('tcp: [2001:db8::1]:443'), 'an address in brackets needs quotes: "[IPv6]:PORT"'],
  ['targets:\n- name: a\n  tcp: [2001:db8::1]:443', 'needs quotes: "[IPv6]:PORT"'],
  [target('tcp: "b\u00fc cher.example:443"'), 'expected HOST:PORT'],
  [target('tcp: "\uff11\uff12\uff17.1:443"'), 'expected HOST:PORT'],
  [target('tcp: [db.example, 1]'), 'got a list of 2'],
  // DNS.
  [
    target('dns: b.example'),
    'targets[0].dns: expected a mapping with query, type, servers, expect, got "b.example"',
  ],
  [
    target('dns: {}'),
    'targets[0].dns.query: expected a name such as intranet.example, got nothing',
  ],
  [target('dns: {query: "."}'), 'targets[0].dns.query: expected a name'],
  [target('dns: {query: "a\\0b"}'), 'got "a\\x00b"'],
  [target(`dns: {query: ${'a'.repeat(64)}.example}`), 'targets[0].dns.query: expected a name'],
  [dns('type: MX'), 'targets[0].dns.type: expected A or AAAA, got "MX"'],
  [dns('type: a'), 'got "a"'],
  [dns('server: 198.51.100.1'), 'expected no keys but query, type, servers, expect, got "server"'],
  [
    dns('servers: [ns.example]'),
    'targets[0].dns.servers[0]: expected an IP address, or IP:PORT, or [IPv6]:PORT, got "ns.example"',
  ],
  [dns('servers: ["198.51.100.1:99999"]'), 'got "198.51.100.1:99999"'],
  [dns('servers: [null]'), 'targets[0].dns.servers[0]: expected an IP address'],
  [
    dns('servers: ["198.51.100.1", "198.51.100.1:53"]'),
    'targets[0].dns.servers[1]: expected a server not listed before, got "198.51.100.1"',
  ],
  [
    dns(`servers: [${Array.from({ length: 9 }, (_, i) => `198.51.100.${i}`).join()}]`),
    'targets[0].dns.servers: expected a list of at most 8, got a list of 9',
  ],
  [
    dns('expect: ["2001:db8::1"]'),
    'targets[0].dns.expect[0]: expected an IPv4 address, as type A gives, got "2001:db8::1"',
  ],
  [
    dns('expect: ["10.0.0.1", "10.0.0.2", "10.0.0.1"]'),
    'targets[0].dns.expect[2]: expected an address not listed before, got "10.0.0.1"',
  ],
  [
    dns('type: AAAA, expect: ["2001:db8::1", "2001:DB8:0::1"]'),
    'targets[0].dns.expect[1]: expected an address not listed before, got "2001:db8::1"',
  ],
  [dns('expect: [example]'), 'targets[0].dns.expect[0]: expected an IP address, got "example"'],
  // HTTP.
  [
    target('http: "http://b/"'),
    'targets[0].http: expected a mapping with url, method, expectStatus',
  ],
  [target('http: {}'), 'targets[0].http.url: expected an http or https URL, got nothing'],
  [
    http('file:///etc/passwd'),
    'targets[0].http.url: expected an http or https URL, got "file:///etc/passwd"',
  ],
  [http('ftp://b/'), 'got "ftp://b/"'],
  [http('javascript:alert(1)'), 'expected an http or https URL'],
  [http('//b/'), 'expected an http or https URL'],
  [http('http:b'), 'expected an http or https URL'],
  [http('http://'), 'expected an http or https URL'],
  [http('http://b:99999/'), 'expected an http or https URL'],
  [http('http://b:0/'), 'expected a URL with a port from 1 to 65535'],
  [http('http://a b/'), 'expected a URL without spaces and control characters'],
  [
    http('http://b/\r\nHost: c'),
    'expected a URL without spaces and control characters, got "http://b/\\x0d\\x0aHost: c"',
  ],
  [http('http://b/\u202e'), 'expected a URL without spaces and control characters'],
  [http('http:\\\\b\\c'), 'expected a URL without spaces'],
  [http('http://b/#part'), 'expected a URL without a fragment'],
  [
    http('https://user:secret@b.example/'),
    'targets[0].http.url: expected a URL without a user and password (put them into headersFile), got "…@b.example/"',
  ],
  [http('https://@b.example/'), 'expected a URL without a user and password'],
  [http('https://user:secret@b.example:99999/'), 'got "…@b.example:99999/"'],
  [http('http://0.0.0.0/'), 'expected the address of one host'],
  [http('http://1/'), 'expected the address of one host'],
  [http('http://[ff02::1]/'), 'expected a unicast address'],
  [http(`http://b/${'a'.repeat(3000)}`), 'expected a URL of at most 2048 characters'],
  [
    target('http: {url: [1]}'),
    'targets[0].http.url: expected an http or https URL, got a list of 1',
  ],
  [http('http://b/', ', method: POST'), 'targets[0].http.method: expected GET or HEAD, got "POST"'],
  [
    http('http://b/', ', method: "GET / HTTP/1.1\\r\\n"'),
    'targets[0].http.method: expected GET or HEAD',
  ],
  [
    http('http://b/', ', expectStatus: [99]'),
    'targets[0].http.expectStatus[0]: expected a whole number from 200 to 599, got 99',
  ],
  [http('http://b/', ', expectStatus: ["200"]'), 'got "200"'],
  [
    http('http://b/', ', expectStatus: [2e2, 1e400]'),
    'targets[0].http.expectStatus[1]: expected a whole number from 200 to 599, got Infinity',
  ],
  [http('http://b/', ', expectStatus: any'), 'got "any"'],
  [
    http('http://b/', ', headers: {authorization: secret}'),
    'expected no keys but url, method, expectStatus, headersFile, ca, tlsName, got "headers"',
  ],
  [
    http('http://b/', ', headersFile: "Authorization: secret"'),
    'targets[0].http.headersFile: expected the absolute path of a file, got a text of 21 characters',
  ],
  [http('http://b/', ', headersFile: "/a\\0b"'), 'expected the absolute path of a file'],
  [http('https://b/', ', ca: ca.pem'), 'targets[0].http.ca: expected the absolute path of a file'],
  [
    http('http://b/', ', ca: /ca.pem'),
    'targets[0].http.ca: expected it with an https URL alone, got "/ca.pem"',
  ],
  [
    http('https://b/', ', tlsName: "a b"'),
    'targets[0].http.tlsName: expected the name that the certificate has, got "a b"',
  ],
  [
    http('https://b/', ', tlsName: 7'),
    'targets[0].http.tlsName: expected the name that the certificate has, got 7',
  ],
];
