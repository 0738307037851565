/** The syntax of an API token: a bearer token (RFC 6750) that is too long to be guessed. */
export const tokenForm = /^[A-Za-z0-9._~+/-]{16,512}=*$/;

/** The form in words, for errors. */
export const tokenFormText = 'a token of at least 16 letters, digits, - . _ ~ + /';

/** A file with a token and nothing else is not larger. */
export const maxTokenFileBytes = 4096;
