import { expect, test } from 'vitest';
import { openResidentMemory } from '../../../../agent/platform/resident-memory.js';

test('the resident memory is that of this process, again and again', () => {
  const residentBytes = openResidentMemory();
  for (let reads = 0; reads < 3; reads++) {
    const rss = process.memoryUsage.rss();
    expect(residentBytes() / rss).toBeGreaterThan(0.8);
    expect(residentBytes() / rss).toBeLessThan(1.25);
  }
});
