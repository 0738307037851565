import { agentPage } from './agent-page.js';
import { apiPage } from './api-page.js';
import { chartPage } from './chart-page.js';
import { constantsPage } from './constants-page.js';

/**
 * The pages that are written from the code, by their paths.
 * @param root the folder of the repository
 */
export function referencePages(root: string): Readonly<Record<string, string>> {
  return {
    'docs/reference.md': agentPage(),
    'docs/reference-api.md': apiPage(),
    'docs/reference-chart.md': chartPage(root),
    'docs/reference-findings.md': constantsPage(root),
  };
}
