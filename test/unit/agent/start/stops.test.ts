import { expect, test } from 'vitest';
import { Stops } from '../../../../agent/start/stops.js';

test('what was started is stopped in the reverse order, each part once', async () => {
  const stopped: string[] = [];
  const stops = new Stops();
  stops.add(() => void stopped.push('first'));
  stops.add(async () => {
    await Promise.resolve();
    stopped.push('second');
  });
  stops.add(() => void stopped.push('third'));
  await stops.run();
  await stops.run();
  expect(stopped).toEqual(['third', 'second', 'first']);
});
