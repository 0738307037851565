import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Cell } from './lib/cells.js';
import { all, figuresBelow, reachableSince, unchangedFrom, where } from './lib/checks.js';
import {
  delayedMesh,
  expectBelievable,
  holdAll,
  longestTrueMs,
  samplesOf,
} from './lib/delayed-packets.js';
import { useMesh } from './lib/mesh.js';
import { missingForDelays } from './lib/requirements.js';
import { waitFor } from './lib/wait-for.js';

const pausedMs = 10_000;

describe('three agents, of which one stands still', () => {
  const mesh = useMesh(delayedMesh, missingForDelays());

  test.each(['n1', 'n2', 'n3'])(
    'an agent that was stopped for ten seconds blames no peer and believes no RTT of that time (%s)',
    async (name) => {
      const { lab, agents } = mesh();
      await waitFor(agents, reachableSince(Date.now()));
      const frozen = lab.host(name);
      const [before, startedAt] = [await agents.read(), Date.now()];
      const release = await holdAll(mesh(), [frozen]);
      try {
        agents.pause(frozen);
        await release();
        await delay(pausedMs);
      } finally {
        agents.resume(frozen);
      }
      const ofFrozen = ({ source }: Cell): boolean => source === name;
      await waitFor(agents, where(ofFrozen, unchangedFrom(before)));
      await waitFor(agents, where(ofFrozen, figuresBelow(longestTrueMs)), 0);
      await expectBelievable(mesh(), frozen, startedAt);
      expect((await samplesOf(mesh(), frozen, startedAt)).some(({ tainted }) => tainted)).toBe(
        true,
      );
      await waitFor(
        agents,
        all(reachableSince(Date.now()), where(ofFrozen, unchangedFrom(before))),
      );
    },
  );
});
