// The headers of requests to the probe port and of their answers. Their names are a part of the protocol.

/** What agents exchange: rows and hints. */
export const exchangeHeader = 'meshprobe-exchange';

/** An agent's GET to its own endpoint; the answer has the results of the targets there. */
export const endpointHeader = 'meshprobe-targets';

/** Asks on which node the answer is made; the answer names it. */
export const nodeHeader = 'meshprobe-node';

/** Carries nothing but bytes, and asks for as many: whether large packets pass. */
export const paddingHeader = 'meshprobe-large';

/** What a connection of a throughput test is for: a GET that asks for another protocol than HTTP. */
export const throughputHeader = 'meshprobe-throughput';
