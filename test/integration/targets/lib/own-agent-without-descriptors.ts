// Reads where the own agent may send from, first with descriptors and then with none left, and writes what it knows.
import { openSync } from 'node:fs';
import { OwnAgent } from '../../../../agent/targets/endpoint/own-agent.js';

const options = { isTrusted: () => false, folder: process.argv[2] ?? '' };
const agent = await OwnAgent.open(options);
try {
  for (;;) openSync('/dev/null', 'r');
} catch {
  // No descriptor is left.
}
await agent.read();
const later = await OwnAgent.open(options);
const known = ['127.0.0.1', '10.244.1.1', 'fd00::1'].map((ip) => [agent.has(ip), later.has(ip)]);
process.stdout.write(JSON.stringify(known), () => process.exit(0));
