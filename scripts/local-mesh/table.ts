import { ApiError } from '../../api/client/api-error.js';
import type { Client } from '../../api/client/client.js';
import { escapeText } from '../../cli/view/escape.js';
import { renderSuccinct } from '../../cli/view/succinct.js';

/** Returns what `meshprobe status --succinct` prints, or why there is no answer. */
export async function readTable(client: Client): Promise<string> {
  try {
    return renderSuccinct(await client.status()).trimEnd();
  } catch (error) {
    if (error instanceof ApiError) return `No table: ${escapeText(error.message)}`;
    throw error;
  }
}

/** Removes the time from a table, to tell whether anything else changed. */
export function withoutTime(table: string): string {
  return table.replace(/\(\d{4}-\d\d-\d\dT[^)]*\)/, '');
}
