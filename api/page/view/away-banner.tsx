import { useAgentState } from '../client/context.js';
import { formatAge, formatTime } from '../model/format-time.js';
import { useNow } from './time.js';

/** Says that the agent is away, since when, and that the page shows old data. */
export function AwayBanner() {
  const awaySince = useAgentState((state) => state.awaySince);
  const offsetMs = useAgentState((state) => state.clockOffsetMs);
  const now = useNow() - offsetMs;
  if (awaySince === undefined) return null;
  return (
    <p class="away-banner">
      <b>The agent does not answer</b> since {formatTime(awaySince, now)} (
      {formatAge(now - awaySince)}). What you see is from before that. The page asks again every
      second and comes back by itself.
    </p>
  );
}
