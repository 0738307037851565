/**
 * Why a probe failed, as a closed list for programs; the text beside it is for people. `local`: this host
 * could not reach the network (its link is down, its firewall forbids it), and the path does not work.
 */
export type FailureKind =
  | 'timeout'
  | 'refused'
  | 'unreachable'
  | 'prohibited'
  | 'reset'
  | 'protocol'
  | 'status'
  | 'too-large'
  | 'local';
