import { ClosingLineReporter } from './closing-line.js';
import { TimesReporter } from './times.js';

/** What every test run prints: the tests, the times, and the closing line. */
export const reporters = ['default', new TimesReporter(), new ClosingLineReporter()];
