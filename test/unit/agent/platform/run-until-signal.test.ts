import { describe, expect, test } from 'vitest';
import { runUntilSignal } from '../../../../agent/platform/run-until-signal.js';

describe('untilStopped', () => {
  test('stops the other parts and ends with 1 and the reason when a part dies', async () => {
    const said: string[] = [];
    const log = {
      info: (_: object, message: string) => said.push(message),
      fatal: (_: object, message: string) => said.push(message),
    };
    const code = await runUntilSignal(log, (onFailure) => {
      setImmediate(() => onFailure(new Error('health port: it closed')));
      return Promise.resolve(() => void said.push('stopped'));
    });
    expect([code, said]).toEqual([1, ['stopping: health port: it closed', 'stopped']]);
  });
});
