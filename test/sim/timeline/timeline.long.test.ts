import { describe } from 'vitest';
import { testRounds } from './rounds-test.js';

describe('a cluster in which faults begin and end', () => {
  testRounds(5);
});
