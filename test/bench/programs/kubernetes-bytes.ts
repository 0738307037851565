// Counts what two agents take from a real API server, and prints it.
import { measureKubernetesBytes } from '../kubernetes/bytes.js';

const [programs = '', nodes = '1000', seconds = '60'] = process.argv.slice(2);
const figures = await measureKubernetesBytes(programs, Number(nodes), Number(seconds));
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
