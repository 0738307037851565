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
  // A name without TLS, as readers use it who set --api-allowed-host.
  '--host-resolver-rules=MAP meshprobe.example 127.0.0.1',
];

const { stdout } = spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' });
const executablePath = stdout.trim();

/** Why there is no browser here; undefined if there is one. */
export const noBrowser =
  executablePath === '' ? 'the page is tested in chromium (Debian package chromium)' : undefined;

/** Starts a browser with a new profile. The profile is removed with the browser. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: flags });
}
