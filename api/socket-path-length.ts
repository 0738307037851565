/** The longest path of a unix socket: `sockaddr_un` has 108 bytes with the closing zero (unix(7)). */
export const maxSocketPathBytes = 107;
