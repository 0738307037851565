import { maxTargets } from '../../model/target.js';
import { ConfigError, messageOf } from '../../platform/errors.js';
import { kubernetesTargets } from './kubernetes-targets.js';
import { readTargetsFile } from './targets-file.js';
import type { ReadTargets } from './targets-config.js';

export const readTargets: ReadTargets = async ({ kind, inline, file, pod }) => {
  const builtIn = kind === 'kubernetes' ? kubernetesTargets(pod) : [];
  const filed = file === undefined ? [] : await read(file);
  const targets = [
    ...new Map([...builtIn, ...inline, ...filed].map((one) => [one.name, one])).values(),
  ];
  if (targets.length <= maxTargets) return targets;
  const parts = `${builtIn.length} of Kubernetes, ${inline.length} of the configuration, ${filed.length} of the file`;
  throw new ConfigError(
    `targets: expected at most ${maxTargets} of different names, got ${targets.length} (${parts})`,
  );
};

async function read(path: string) {
  try {
    return await readTargetsFile(path);
  } catch (error) {
    throw new ConfigError(`targets-file: ${path}: ${messageOf(error)}`);
  }
}
