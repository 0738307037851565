import { expect, test } from 'vitest';
import type { Sample } from '../../../../agent/model/sample.js';
import { openProbers } from './open-probers.js';
import { pathTo } from './path-to.js';

const { probers, unavailable } = await openProbers();

test.for(probers)(
  'an %s probe that the kernel of this host refuses to send blames this host',
  async ([, prober], { skip }) => {
    if (!prober) return skip(unavailable);
    if (process.platform !== 'linux') skip('other systems may give another error');
    // The kernel refuses the broadcast address at once, so nothing leaves this machine.
    const sample = await new Promise<Sample>((resolve) =>
      prober.probe(pathTo('255.255.255.255'), 500, resolve),
    );
    expect(sample).toMatchObject({ outcome: 'failure', kind: 'local' });
    expect(sample.outcome === 'failure' && sample.detail).toMatch(/^this host cannot send: /);
  },
);
