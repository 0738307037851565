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

// Both are of one source. The first has no windows around its pages, and needs half the time of a processor.
const find = 'command -v chromium-headless-shell || command -v chromium';
const { stdout } = spawnSync('sh', ['-c', find], { encoding: 'utf8' });
const executablePath = stdout.trim();

/** Why there is no browser here; undefined if there is one. */
export const noBrowser =
  executablePath === ''
    ? 'the page is tested in chromium (Debian package chromium-headless-shell, or chromium)'
    : undefined;

/** Starts a browser with a new profile. The profile is removed with the browser. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: flags });
}
