// What an endpoint may tell. More is not written, and refused where it comes.

/** The largest body that is read: sixteen targets with all that can be told of them. */
export const maxEndpointBodyBytes = 48 * 1024;
export const maxTextLength = 300;
export const maxAddresses = 32;
export const maxServers = 16;
export const maxAgeMs = 366 * 86_400_000;
export const maxRttNs = 3_600_000_000_000;
