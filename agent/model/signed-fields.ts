/** Signs with the key of the mesh, where there is one, and checks what others have signed. */
export interface Signer {
  /** Whether there is a key. Without one nothing is signed, and everything is accepted. */
  readonly isKeyed: boolean;
  /** The authentication code of a text as base64url; undefined without a key. */
  sign(text: string): string | undefined;
  accepts(text: string, code: string | undefined): boolean;
}

/** The fields of a message, each key once, and what of it is signed: all that comes before `mac`. */
export interface SignedFields {
  readonly fields: ReadonlyMap<string, string>;
  readonly text: string;
  readonly mac?: string;
}

/** A message: the text, and behind it its authentication code if there is one. */
export function withMac(text: string, mac: string | undefined): string {
  return mac === undefined ? text : `${text};mac=${mac}`;
}

/** Whether a message has an authentication code, whatever it is. */
export function isSigned(message: string): boolean {
  return message.includes(';mac=');
}

/**
 * Splits a message such as `1;from=c/n1;mac=...`, which begins with the version of its protocol. Undefined where it
 * is malformed. The signature is not looked at.
 */
export function splitFields(
  message: string,
  version: string,
): SignedFields | 'other-version' | undefined {
  const [first, ...rest] = message.split(';');
  if (first === undefined || !/^\d{1,3}$/.test(first)) return undefined;
  if (first !== version) return 'other-version';
  const fields = new Map<string, string>();
  for (const part of rest) {
    const [, key, value] = /^([a-z]{1,16})=([\x21-\x7e]*)$/.exec(part) ?? [];
    if (key === undefined || value === undefined || fields.has(key) || fields.has('mac'))
      return undefined;
    fields.set(key, value);
  }
  const mac = fields.get('mac');
  if (mac === undefined) return { fields, text: message };
  return { fields, text: message.slice(0, message.lastIndexOf(';mac=')), mac };
}
