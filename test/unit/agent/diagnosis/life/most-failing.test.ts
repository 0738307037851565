import { describe, expect, it } from 'vitest';
import { mostFailing } from '../../../../../agent/diagnosis/life/most-failing.js';

const none = { share: 0, sinceMs: 0, lastMs: 0 };
/** What is remembered after shares, one a second. */
const after = (...shares: readonly (number | undefined)[]) =>
  shares.reduce((known, share, second) => mostFailing(share, known, 1000 * second), none);

describe('the share of the paths of a cause that failed lately', () => {
  it('is the greatest one, since it was reached', () => {
    expect(after(0.2, 0.5, 0.95)).toEqual({ share: 0.95, sinceMs: 2000, lastMs: 2000 });
    expect(after(0.2, 0.95, 0.5)).toEqual({ share: 0.95, sinceMs: 1000, lastMs: 1000 });
  });

  it('lasts while others come that are about as great', () => {
    expect(after(0.95, 0.94, 0.96)).toEqual({ share: 0.95, sinceMs: 0, lastMs: 2000 });
  });

  it('is not as great since the time when it was less, though it rises in small steps', () => {
    const rising = Array.from({ length: 21 }, (_, step) => 0.8 + step / 100);
    const { share, sinceMs } = after(...rising);
    expect(share).toBeGreaterThanOrEqual(0.98);
    // What it is now within two hundredths it is since two seconds ago.
    expect(sinceMs).toBeGreaterThanOrEqual(18_000);
  });

  it('stays where no row tells of it', () => {
    expect(after(0.95, undefined)).toEqual({ share: 0.95, sinceMs: 0, lastMs: 0 });
  });
});
