/**
 * Why a probe of a path failed, as a closed list for programs; the text beside it is for people.
 *
 * - `timeout`: no answer in time
 * - `refused`: the peer's host answered that nothing listens there
 * - `unreachable`: the network says that it does not reach the address
 * - `prohibited`: the network says that a policy forbids it
 * - `reset`: the connection ended before the answer was complete
 * - `protocol`: the answer is not what was asked for (not HTTP)
 * - `status`: an HTTP status other than 200
 * - `too-large`: the answer is larger than the bound
 * - `local`: this host could not reach the network (its link is down, its firewall forbids it), and the path does
 *   not work
 */
export const pathFailureKinds = [
  'timeout',
  'refused',
  'unreachable',
  'prohibited',
  'reset',
  'protocol',
  'status',
  'too-large',
  'local',
] as const;

/**
 * Why a probe of a target failed, beside the reasons of paths.
 *
 * - `nxdomain`: the server says that the name does not exist
 * - `servfail`: the server could not find out
 * - `dns-refused`: the server does not answer such questions of this host
 * - `wrong-answer`: an answer without the expected addresses, or with others
 * - `tls-name`: the certificate is of another name
 * - `tls-expired`: the certificate is no longer, or not yet, valid
 * - `tls-untrusted`: nobody who is trusted signed the certificate
 * - `redirect`: the answer sends the client elsewhere
 */
export const targetFailureKinds = [
  'nxdomain',
  'servfail',
  'dns-refused',
  'wrong-answer',
  'tls-name',
  'tls-expired',
  'tls-untrusted',
  'redirect',
] as const;

/** The same for people. */
export const targetFailureWords: Readonly<Record<(typeof targetFailureKinds)[number], string>> = {
  nxdomain: 'no such name',
  servfail: 'server failure',
  'dns-refused': 'query refused',
  'wrong-answer': 'wrong answer',
  'tls-name': 'certificate of another name',
  'tls-expired': 'certificate not valid now',
  'tls-untrusted': 'certificate not trusted',
  redirect: 'unexpected redirect',
};

/** Every reason for a failed probe. The order is that of the numbers on the wire: new ones come last. */
export const failureKinds = [...pathFailureKinds, ...targetFailureKinds] as const;
export type FailureKind = (typeof failureKinds)[number];

/** These failures are answers of the peer's host, so packets travel both ways and none was lost. */
export const answeringFailures: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'refused',
  'reset',
  'protocol',
  'status',
  'too-large',
  ...targetFailureKinds,
]);

/**
 * Why a probe was not sent, or could not be judged, as a closed list. Each is a shortage of this host, and says
 * nothing of the path.
 *
 * - `no-buffer`: the kernel has no room for the packet (ENOBUFS, EAGAIN)
 * - `no-memory`: the kernel has no memory (ENOMEM)
 * - `no-descriptor`: too many files are open (EMFILE, ENFILE)
 * - `no-port`: every ephemeral port towards that address is in use
 * - `too-many-probes`: so many probes are under way that no sequence number is free, or this process has too little
 *   processor time for those that wait to be sent
 * - `no-family`: this host has no IPv6, or no IPv4
 * - `no-permission`: this process may not open an ICMP socket
 * - `dropped`: this host dropped packets that may have been the answer
 * - `other`: the sender failed in a way that is none of these
 */
export const notSentReasons = [
  'no-buffer',
  'no-memory',
  'no-descriptor',
  'no-port',
  'too-many-probes',
  'no-family',
  'no-permission',
  'dropped',
  'other',
] as const;
export type NotSentReason = (typeof notSentReasons)[number];
