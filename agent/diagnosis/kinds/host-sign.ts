import { signText } from '../../model/host-words.js';
import { fullShare, type HostSign, type RowSign } from '../../model/row-host.js';
import { withCommas } from '../../model/whole-number.js';
import type { Candidate } from '../nouns/finding.js';
import type { DiagnosisInput } from '../nouns/diagnosis-input.js';
import type { DiagnosisNode } from '../nouns/diagnosis-node.js';
import { aloneFinding, type AloneKind } from './alone.js';
import { command, shortName, written, type Command } from './command.js';
import { exampleText, manyFields } from './fold.js';

/** A host shows a failure of its own, where no other finding is about that node. */
export const hostSign: AloneKind = {
  kind: 'host-sign',
  severity: 'degraded',
  isAboutHost: true,
  // Paths that fail by it are told with it, so they come first.
  waitsMs: 10_000,
};

/** A host that shows a failure. */
export interface FailingHost {
  readonly node: DiagnosisNode;
  readonly sign: RowSign;
  /** In monotonic milliseconds. */
  readonly beganMs: number;
}

/** The finding of one host, or of many that show the same, which has its own id. */
export function hostSignFinding(
  input: DiagnosisInput,
  hosts: readonly FailingHost[],
  manyId?: string,
): Candidate {
  const [first] = hosts;
  if (!first) throw new RangeError('expected a host with a sign, got none');
  const { node, sign } = first;
  const names = hosts.map((host) => host.node.name).sort();
  const own =
    manyId === undefined
      ? {
          node: node.name,
          text: `${node.name}: ${signText(sign)}`,
          ...(node.name === input.localName && { local: true as const }),
        }
      : {
          ...manyFields(names),
          text: `${withCommas(hosts.length)} of ${withCommas(input.index.size)} nodes show the sign ${sign.sign} ${exampleText(names)}`,
        };
  return aloneFinding(hostSign, input, Math.min(...hosts.map(({ beganMs }) => beganMs)), {
    id: manyId ?? `${hostSign.kind}:${sign.sign}:${node.name}`,
    sign: sign.sign,
    seenBy: { failing: hosts.length, of: hosts.length },
    confidence: 1,
    next: written(commandsOf(first)),
    ...own,
  });
}

interface Failure {
  readonly isFailure: (sign: RowSign) => boolean;
  readonly next: (host: string | undefined) => readonly Command[];
}

/** Tokens are refused whose times are further off than this: the usual leeway (RFC 7519, section 4.1.4). */
const clockFailureMs = 60_000;

/** The signs that are failures by themselves, and what tells more of each. */
const failures: Readonly<Partial<Record<HostSign, Failure>>> = {
  'conntrack-full': {
    isFailure: ({ value, limit }) => value >= fullShare * limit,
    next: (host) => [
      command`ssh ${host} sysctl net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_max`,
      command`ssh ${host} sudo conntrack -S`,
    ],
  },
  'clock-offset': {
    isFailure: ({ value }) => value >= clockFailureMs,
    next: (host) => [command`ssh ${host} timedatectl`, command`ssh ${host} chronyc tracking`],
  },
  'carrier-flaps': {
    isFailure: () => true,
    next: (host) => [command`ssh ${host} ip -s link`, command`ssh ${host} sudo dmesg --ctime`],
  },
};

/** Whether a sign is a failure by itself. Most are not. */
export function isFailure(sign: RowSign): boolean {
  return failures[sign.sign]?.isFailure(sign) === true;
}

function commandsOf({ node, sign: { sign } }: FailingHost): Command[] {
  return [
    ...(failures[sign]?.next(node.host[0]) ?? []),
    command`meshprobe node ${shortName(node)}`,
  ];
}
