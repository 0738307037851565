import { spawnSync } from 'node:child_process';
import { chromium, type Browser } from 'playwright-core';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const { stdout } = spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' });
const executablePath = stdout.trim();

/** Why the page cannot be looked at here, if so. */
export const noBrowser =
  executablePath === '' ? 'the page is tested in chromium (Debian package chromium)' : undefined;

/** A browser with a profile of its own, which goes with it. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: flags });
}
