import type { DiagnosisTarget } from '../diagnosis/nouns/diagnosis-target.js';
import type { TargetView } from '../targets/views.js';

/** What findings say of a target: what is asked where, and nothing that may be a secret. */
export function diagnosisTarget({ target, planes }: TargetView): DiagnosisTarget {
  const { name, digest, probe } = target;
  const base = { name, digest, kind: probe.kind, servers: [] };
  switch (probe.kind) {
    case 'dns': {
      const { servers: listed, query, type } = probe.dns;
      // Without a list those that this host and its pods have, if they are the same. A plane that is not probed has none.
      const [first, second = first] = planes
        .map(({ servers }) => servers.map(({ server }) => server))
        .filter((servers) => servers.length > 0);
      const isSame = first?.join(' ') === second?.join(' ');
      const servers = listed.length > 0 ? listed : isSame ? (first ?? []) : [];
      return { ...base, servers, query, type };
    }
    case 'tcp':
      return { ...base, host: probe.tcp.host, port: probe.tcp.port };
    case 'http': {
      const wrong = planes.find(({ state }) => state.failureKind === 'status');
      const statusHere = wrong?.answer.status;
      return {
        ...base,
        ...urlParts(probe.http.url, probe.http.tlsName),
        ...(statusHere !== undefined && { statusHere }),
      };
    }
    case 'icmp':
      return { ...base, host: probe.host };
  }
}

/** A user, a password and a query may be secrets. */
function urlParts(text: string, tlsName: string | undefined) {
  if (!URL.canParse(text)) return {};
  const { protocol, host, hostname, port, pathname } = new URL(text);
  const standard = protocol === 'https:' ? 443 : 80;
  return {
    host: hostname,
    ...(tlsName !== undefined && { tlsName }),
    port: port === '' ? standard : Number(port),
    url: `${protocol}//${host}${pathname}`,
  };
}
