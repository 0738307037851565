/**
 * How many GETs a second one address may get because of hints that it fails, from all agents together. A GET takes processor
 * time of the agent that is probed, some 0.4 ms.
 */
export const hintedGetsPerSecond = 1000;

/** How many probes a second one address may get because of hints that it works again: each answered echo is followed by a GET. */
export const recoveryProbesPerSecond = 250;
