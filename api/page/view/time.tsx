import { useAgent } from '../client/context.js';
import { Store, useStore } from '../client/store.js';
import { formatAge, formatTime } from '../model/format-time.js';

/** Increases once a second, so that ages grow. */
const seconds = new Store(0);
setInterval(() => {
  if (!document.hidden) seconds.set(seconds.value + 1);
}, 1000);
document.addEventListener('visibilitychange', () => seconds.set(seconds.value + 1));

/** The time on the agent's clock. The view renders again every second. */
export function useNow(): number {
  const { live } = useAgent();
  useStore(seconds, (second) => second);
  return live.now();
}

interface TimeProps {
  /** An RFC 3339 time. */
  readonly at: string | undefined;
}

/** A time in the reader's zone, with its age beside it. */
export function Time({ at }: TimeProps) {
  const now = useNow();
  const time = Date.parse(at ?? '');
  if (at === undefined || Number.isNaN(time)) return <span class="time">–</span>;
  return (
    <time class="time" dateTime={at} title={new Date(time).toString()}>
      {formatTime(time, now)} <span class="age">({formatAge(now - time)} ago)</span>
    </time>
  );
}
