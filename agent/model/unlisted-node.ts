import { nearestName } from './nearest-name.js';

/**
 * Says that an agent's own node is not in the node list, with the name that was probably meant and the
 * setting that gives it. One clause without a full stop.
 * @param localName `cluster/name`, as are the names that are listed
 */
export function describeUnlisted(localName: string, listed: Iterable<string>): string {
  const words = `this agent's node ${localName} is not in the node list`;
  const nearest = nearestName(localName, listed);
  if (nearest === undefined) return `${words} (--node-name)`;
  const isOtherCluster = clusterOf(nearest) !== clusterOf(localName);
  const flag = isOtherCluster ? '--cluster-name' : '--node-name';
  return `${words}; the nearest name there is ${nearest} (${flag})`;
}

function clusterOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}
