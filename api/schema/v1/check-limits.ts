/** The slowest and the lossiest paths of a check are at most so many, of one agent and of all of them. */
export const mostCheckedPaths = 10;
/** What was not probed is named at most so many times. */
export const mostNotProbed = 64;
