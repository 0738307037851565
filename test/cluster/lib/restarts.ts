import { containerOf, untilAnswer } from './objects.js';
import type { ClusterNode } from './place.js';

type Component = 'agent' | 'endpoint';

/** How often the kubelet has started the container of a component again. */
export const restartsOf = async ({ name }: ClusterNode, component: Component) =>
  (await containerOf(name, component))?.restartCount ?? 0;

/**
 * Ends a container as a crash does, and waits until the kubelet has started it again.
 * @returns why it has ended, as the kubelet says; undefined if it says nothing: at times it has removed what it knew of a
 * container before it starts the next one
 */
export async function crash(
  { name }: ClusterNode,
  component: Component,
  signal: () => void,
): Promise<string | undefined> {
  const before = await containerOf(name, component);
  signal();
  let reason: string | undefined;
  await untilAnswer(
    () => containerOf(name, component),
    (container) => {
      const ends = [container?.state?.terminated, container?.lastState?.terminated];
      reason = ends.find((end) => end?.containerID === before?.containerID)?.reason ?? reason;
      return container?.restartCount === (before?.restartCount ?? 0) + 1;
    },
  );
  return reason;
}
