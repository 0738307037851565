import { channels } from '../../../agent/model/channel.js';
import { confirmationGapMs } from '../../../agent/probing/schedule/plan.js';
import { isLossy } from '../diagnosis/row-noise.js';
import { lossOf } from '../../faults/trouble.js';
import { defaultCadence } from '../lib/default-cadence.js';
import type { AgentProcess } from './agent-processes.js';
import type { PathTurn } from './observed-paths.js';
import type { SizeWorld } from './size-world.js';

/** Losses of the last ten minutes make a path lossy. */
export const windowMs = 600_000;
const lossPurpose = 64;

/**
 * What an agent says of the paths to a node that lose packets at random, by channel: lossy once it lost enough of its
 * probes, and unreachable for a moment where it lost all of a confirmation.
 */
export function lossyTurns(
  { probes, losses }: SizeWorld,
  observer: number,
  to: number,
  process: AgentProcess,
): PathTurn[][] {
  return channels.map(({ plane }, channel) => {
    const turns: PathTurn[] = [];
    const intervalMs = probes.intervalMs[channel] ?? 0;
    for (const { trouble, beginMs, endMs } of losses) {
      const share = lossOf([trouble], observer, to, plane);
      if (share === 0) continue;
      const fromMs = Math.max(beginMs, process.startMs);
      const untilMs = Math.min(endMs, process.endMs);
      let lostMs: number[] = [];
      const said = (): PathTurn['state'] => turns.at(-1)?.state ?? 'reachable';
      const say = (atMs: number, state: PathTurn['state']): void => {
        const failure = state === 'unreachable' ? 'timeout' : undefined;
        if (state !== said()) turns.push({ atMs, state, failure, causeMs: beginMs, lostMs });
      };
      let atMs = probes.next(observer, to, channel, fromMs);
      for (let probe = 0; atMs < untilMs; probe++, atMs += intervalMs) {
        const isLost = (number: number) =>
          probes.share(observer, to, lossPurpose + 4 * (3 * probe + number) + channel) < share;
        if (!isLost(0)) {
          if (said() === 'unreachable') say(atMs + probes.recoveryMs, 'reachable');
          continue;
        }
        const { failureThreshold } = defaultCadence.icmp;
        const confirmed = Array.from({ length: failureThreshold - 1 }, (_, one) => isLost(one + 1));
        for (const is of [true, ...confirmed]) if (is) lostMs.push(atMs);
        if (confirmed.every(Boolean)) {
          say(atMs + probes.confirmMs('timeout'), 'unreachable');
          // What a dead path lost makes it not lossy.
          lostMs = [];
        } else if (said() === 'reachable' && isLossy(lostMs.length, windowMs / intervalMs)) {
          say(atMs + confirmationGapMs + probes.timeoutMs, 'lossy');
        }
      }
      if (said() === 'unreachable') say(atMs + probes.recoveryMs, 'reachable');
    }
    return turns;
  });
}
