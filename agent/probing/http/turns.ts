/** A turn that takes longer than this does not keep the next one waiting, in milliseconds. */
const longestTurnMs = 2;

/** Begins something, and calls back once it has ended. */
export type Action = (end: () => void) => void;

/**
 * Runs each action in a turn of its own. Exchanges are timed in this process: so what comes for one is seen before
 * the next one starts, and none waits for other work of the same tick. An action that takes long is not waited for.
 */
export function createTurns(): (action: Action) => void {
  const waiting: Action[] = [];
  let isRunning = false;
  let turn = 0;
  let timer: NodeJS.Timeout | undefined;
  const end = (ended: number): void => {
    if (ended !== turn) return;
    turn++;
    isRunning = false;
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length > 0) setImmediate(startNext);
  };
  const startNext = (): void => {
    const action = waiting.shift() as Action;
    isRunning = true;
    const started = turn;
    action(() => end(started));
    if (turn === started) endInTime();
  };
  const endInTime = (): void => {
    if (waiting.length > 0) timer ??= setTimeout(end, longestTurnMs, turn);
  };
  return (action) => {
    const isFirst = waiting.push(action) === 1;
    if (isRunning) endInTime();
    else if (isFirst) setImmediate(startNext);
  };
}
