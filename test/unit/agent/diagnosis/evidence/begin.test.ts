import { describe, expect, it } from 'vitest';
import { beginS } from '../../../../../agent/diagnosis/evidence/begin.js';
import { detectS } from '../../../../../agent/diagnosis/evidence/time-model.js';

const begin = (ages: readonly number[], windowS = 5) => beginS(Float64Array.from(ages), windowS);

describe('the beginning of a cause', () => {
  it('is not known without a failure', () => {
    expect(begin([])).toBeUndefined();
  });

  it('is before the first failure, by the time until a verdict', () => {
    expect(begin([3, 4, 2])).toBe(4 + detectS);
  });

  it('is not that of a report from long before', () => {
    expect(begin([3, 4, 300, 2])).toBe(4 + detectS);
  });

  it('is that of the older of two reports that may be of one cause each', () => {
    expect(begin([1, 30])).toBe(30 + detectS);
  });

  it('leaves out the oldest of many', () => {
    expect(begin([4, 1, 1, 1, 1, 1, 1, 1, 1, 2])).toBe(2 + detectS);
  });
});
