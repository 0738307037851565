/** A turn that takes longer than this does not keep the next one waiting, or at most twice as long. */
const longestTurnMs = 2;

/** Begins something, and calls back once it has ended. */
export type Action = (end: () => void) => void;

/**
 * Runs each action in a turn of its own. Exchanges are timed in this process: so what comes for one is seen before
 * the next one starts, and none waits for other work of the same tick. An action that takes long is not waited for.
 */
export function createTurns(): (action: Action) => void {
  const waiting: Action[] = [];
  let turn = 0;
  let isRunning = false;
  let isTimed = false;
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
    endInTime();
  };
  // It is never cancelled: Node would wake up for it all the same.
  const endInTime = (): void => {
    if (isTimed || !isRunning || waiting.length === 0) return;
    isTimed = true;
    setTimeout(onTimer, longestTurnMs, turn);
  };
  const onTimer = (timed: number): void => {
    isTimed = false;
    end(timed);
    endInTime();
  };
  return (action) => {
    waiting.push(action);
    if (isRunning) endInTime();
    else if (waiting.length === 1) setImmediate(startNext);
  };
}
