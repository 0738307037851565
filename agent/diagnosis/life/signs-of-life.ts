import { hearingSince, lateAnswerMs, signsLastMs } from '../evidence/hearing.js';
import { observerAt, type Facts } from '../evidence/observations.js';
import type { Cause } from '../nouns/cause.js';
import { hostHttpMask } from '../nouns/channel-mask.js';
import type { SeenBy } from '../nouns/sight.js';
import type { ExplainedTrouble } from '../search/explain-trouble.js';
import { heardAgain, notAsked } from './heard-again.js';
import { pastAtNode } from './remembered-causes.js';

/** The word of a single observer is not enough to call a node alive, where others look too. */
const leastHearing = 2;

/** What tells that the node of a cause has run since its trouble began; of another subject nothing does. */
export function signsOfLife(
  cause: Cause,
  facts: Facts,
  { explanation, tally }: Pick<ExplainedTrouble, 'explanation' | 'tally'>,
  beganMs: number,
  seen: () => SeenBy,
) {
  const { subject, trouble, channels } = cause;
  if (subject.type !== 'node') return none;
  const { node } = subject;
  const { index, input, observations } = facts;
  const { observers, firstMsAgo } = hearingSince(facts, node, cause, beganMs, explanation);
  const own = observerAt(observations, node);
  const isObserver = own !== undefined && 1000 * own.ageS < beganMs - lateAnswerMs;
  const isHeard =
    isObserver || observers >= leastHearing || (observers > 0 && observers >= seen().of);
  /** Whether enough others reached it all the while: who is cut off from it hears nothing of it. */
  const isReached = () => {
    const wasReached = pastAtNode(input.previous, index.nodes[node]?.name ?? '').some(
      (one) => one.channels === channels && one.endedMs === undefined && one.working.share !== 0,
    );
    if (!wasReached) return false;
    const { failing, of } = seen();
    return of - failing >= leastHearing;
  };
  const firstMs = Math.max(firstMsAgo, isObserver ? 1000 * own.ageS : 0);
  const again = heardAgain(cause, facts, tally, beganMs, firstMs);
  return {
    /** How many observers heard its own GETs since. */
    hearing: observers,
    /** Its own row counts, and was confirmed since. */
    isObserver,
    /** Enough of those who do not reach it got its GETs, or its row counts. */
    isHeard,
    /** Until all of these are from after what was told before ended, in milliseconds: it may be silent since; 0 if it was heard since. */
    unsureForMs: isHeard ? unsureForMs(cause, facts, node, beganMs) : 0,
    /** It was heard, or others reach it all the while. */
    lives: isHeard || (trouble === 'broken' && isReached()),
    ...again,
    mayBeBack: isHeard && again.mayBeBack,
  };
}

/**
 * For how long signs of life may still be from before the end of what was told of a node. What is left of that is another trouble
 * since, and rows do not tell when they heard it last.
 */
function unsureForMs(
  { channels, ways }: Cause,
  { input, index, observations: { own } }: Facts,
  node: number,
  beganMs: number,
): number {
  const name = index.nodes[node]?.name ?? '';
  const { previous, now, heardMsAgo } = input;
  const broken = channels & hostHttpMask;
  if (!own || ways !== 'in') return 0;
  const ended = pastAtNode(previous, name).flatMap(({ channels: its, endedMs }) =>
    endedMs !== undefined && (its & broken) !== 0 ? now - endedMs : [],
  );
  const endedMsAgo = Math.min(...ended);
  const isLater = endedMsAgo < beganMs && (heardMsAgo.get(name) ?? Infinity) > endedMsAgo;
  return isLater ? Math.max(signsLastMs(own) - endedMsAgo, 0) : 0;
}

const none = {
  hearing: 0,
  isObserver: false,
  isHeard: false,
  unsureForMs: 0,
  lives: false,
  ...notAsked,
};
