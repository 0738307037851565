// Scrapes agents from inside a namespace: `scrape.js NAME=URL...`. Prints one JSON object with the
// number of series by name. An agent that does not answer in time has none.
import process from 'node:process';

const timeoutMs = 3000;

/** @param {string} url */
async function countSeries(url) {
  const answer = await globalThis.fetch(url, { signal: globalThis.AbortSignal.timeout(timeoutMs) });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const lines = (await answer.text()).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).length;
}

const counts = await Promise.all(
  process.argv.slice(2).map(async (pair) => {
    const at = pair.indexOf('=');
    const count = await countSeries(pair.slice(at + 1)).catch(() => undefined);
    return [pair.slice(0, at), count];
  }),
);
process.stdout.write(JSON.stringify(Object.fromEntries(counts)));
