import { command } from './command.js';
import { degradedText } from './degraded.js';
import type { PathKind } from './kind.js';
import { by } from './words.js';

/** RTTs have risen well above what they were. */
export const slow: PathKind = {
  kind: 'slow',
  alerts: { degraded: 'MeshprobeSlow' },
  applies: ({ cause }) => cause.trouble === 'slow' && cause.subject.type !== 'group',
  // A busy host answers late for some seconds, and two busy hosts may follow each other.
  waitsMs: () => 60_000,
  text: (sight) => degradedText(sight, 'have become slow'),
  next: ({ host, fromHost }) => [
    command`ssh ${fromHost} ping -c 20 -i 0.2 ${host}`,
    command`ssh ${fromHost} traceroute -n ${host}`,
    command`ssh ${host} uptime`,
  ],
  plural: ({ channels }) => `have become slow${by(channels)}`,
};
