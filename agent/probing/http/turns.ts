/** A turn that takes longer than this, or at most twice as long, does not keep others waiting. */
const longestTurnMs = 2;

/** Begins something, and calls back once it has ended. */
export type Action = (end: () => void) => void;

/**
 * Runs each action in a turn of its own. Exchanges are timed in this process: so what comes for one is seen before
 * the next one starts, and none waits for other work of the same tick. Behind one that takes long all others start,
 * for where one peer is dead many may be.
 */
export function createTurns(): (action: Action) => void {
  const waiting: Action[] = [];
  let turn = 0;
  let isRunning = false;
  let isTimed = false;
  let isLate = false;
  const end = (ended: number): void => {
    if (ended !== turn || !isRunning) return;
    isRunning = false;
    if (waiting.length > 0) setImmediate(startNext);
  };
  const startNext = (): void => {
    const action = waiting.shift() as Action;
    const started = ++turn;
    isRunning = true;
    action(() => end(started));
    isLate &&= waiting.length > 0;
    if (isLate) end(started);
    else endInTime();
  };
  // It is never cancelled: Node would wake up for it all the same.
  const endInTime = (): void => {
    if (isTimed || !isRunning || waiting.length === 0) return;
    isTimed = true;
    setTimeout(onTimer, longestTurnMs, turn);
  };
  const onTimer = (timed: number): void => {
    isTimed = false;
    isLate = timed === turn && isRunning && waiting.length > 0;
    end(timed);
    endInTime();
  };
  return (action) => {
    waiting.push(action);
    if (isRunning) endInTime();
    else if (waiting.length === 1) setImmediate(startNext);
  };
}
