import { constants, getPriority, setPriority } from 'node:os';

// Runs before each file of a project that keeps a processor busy beside tests of real programs.
const { PRIORITY_BELOW_NORMAL: low } = constants.priority;
if (getPriority() < low) setPriority(low);
