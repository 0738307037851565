// This is a file of its own, so that the CLI has the number without loading the schemas.

/** The longest full node name: a cluster's name, a slash and a node's name. */
export const maxNameLength = 253 + 1 + 253;

/** The longest name of a label: a prefix, a slash and a name. */
export const maxLabelLength = 253 + 1 + 63;
