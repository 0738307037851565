// Lists a large cluster from an API server in another process and prints the cost.
import { measureKubernetesList } from '../kubernetes-list.js';

const [apiServer = ''] = process.argv.slice(2);
const figures = await measureKubernetesList(apiServer);
process.stdout.write(`${JSON.stringify(figures)}\n`, () => process.exit(0));
