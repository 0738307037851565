import type { Plane } from '../../schema/v1/channel.js';
import { shownPlanes } from '../model/shown-planes.js';
import { useAgentState } from './context.js';

/** Returns a function that tells whether nodes have addresses on a plane. */
export function useIsShownPlane(): (plane: Plane) => boolean {
  // A text stays the same while its planes do, so that views do not render again.
  const shown = useAgentState(({ summary }) => summary && shownPlanes(summary).join(' '));
  return (plane) => shown?.split(' ').includes(plane) ?? true;
}
