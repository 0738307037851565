import type { Config } from '../config/config.js';
import { checkCredentials } from '../discovery/create-node-source.js';
import { readNodes } from '../discovery/read-nodes.js';
import type { Node } from '../model/node.js';
import { describeUnlisted } from '../model/unlisted-node.js';
import { describeWithoutAddress } from '../model/without-address.js';
import { ConfigError, messageOf } from '../platform/errors.js';
import { groupId } from '../serving/group-id.js';
import { checkTargets } from '../targets/definition/check-targets.js';

/** What a check found: one sentence that all is good, and what is probably meant otherwise. */
export interface ConfigCheck {
  readonly good: string;
  readonly warnings: readonly string[];
}

/**
 * Checks what a configuration names on this host, as a start would: the socket's group, the targets, the credentials,
 * and the nodes of a file.
 * @param worker the script that reads a nodes file
 * @throws ConfigError for what an agent would refuse, and for a nodes file without a node
 */
export async function checkConfig(config: Config, worker: URL): Promise<ConfigCheck> {
  const { nodeSource, socketGroup } = config;
  if (socketGroup !== undefined) groupId(socketGroup);
  const targets = countTargets((await checkTargets(config.targets)).length);
  if (nodeSource.kind !== 'file') {
    const clusters = nodeSource.kind === 'kubernetes' ? nodeSource.clusters : [];
    for (const { identity } of clusters) await checkCredentials(identity);
    const good = `The configuration is good: nodes come from ${nodeSource.kind}${targets}.`;
    return { good, warnings: [] };
  }
  const nodes = await readListed(config, nodeSource.path, worker);
  const names = nodes.map(({ name }) => name);
  const unlisted = names.includes(config.localName)
    ? undefined
    : describeUnlisted(config.localName, names);
  return {
    good: `The configuration is good: ${countNodes(names.length)} in ${nodeSource.path}${targets}.`,
    warnings: [unlisted, describeWithoutAddress(nodes)].filter((text) => text !== undefined),
  };
}

async function readListed(
  { clusterName, groupBy }: Config,
  path: string,
  worker: URL,
): Promise<readonly Node[]> {
  try {
    const nodes = await readNodes(worker, { path, clusterName, groupBy });
    if (nodes.length === 0) throw new ConfigError('nodes: expected at least one node, got none');
    return nodes;
  } catch (error) {
    throw new ConfigError(`nodes-file: ${path}: ${messageOf(error)}`);
  }
}

function countNodes(count: number): string {
  return count === 1 ? '1 node' : `${count} nodes`;
}

function countTargets(count: number): string {
  if (count === 0) return '';
  return count === 1 ? ', 1 target' : `, ${count} targets`;
}
