/** Pieces of a secret of at most so many characters are shown: they are in any sentence. */
export const shortPieceLength = 5;
const pieceLength = shortPieceLength + 1;
/** What is shorter than this is a part of any sentence as a whole. */
const shortest = 4;

/**
 * A text without any piece of a secret: each stretch of six or more characters that a secret has too, in whatever case, is
 * `...`. A server may say again what it was sent, as a whole or cut, and as it is written in a URL.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const small = lowerCase(text);
  const isHidden = new Array<boolean>(text.length).fill(false);
  const hide = (at: number, length: number): void => void isHidden.fill(true, at, at + length);
  const places = placesOf(small);
  for (const secret of new Set(secrets.flatMap(formsOf))) {
    if (secret.length < shortest) continue;
    if (secret.length < pieceLength) {
      for (let at = small.indexOf(secret); at !== -1; at = small.indexOf(secret, at + 1)) {
        hide(at, secret.length);
      }
    }
    for (let start = 0; start + pieceLength <= secret.length; start++) {
      const piece = secret.slice(start, start + pieceLength);
      for (const at of places.get(piece) ?? []) hide(at, pieceLength);
    }
  }
  let shown = '';
  for (let at = 0; at < text.length; at++) {
    if (isHidden[at] !== true) shown += text[at] ?? '';
    else if (isHidden[at - 1] !== true) shown += '...';
  }
  return shown;
}

/** As it is, percent-decoded and encoded, as base64, and what base64 of a header says. Each as an answer is shown: on one line. */
function formsOf(secret: string): string[] {
  const [scheme = '', credentials] = secret.split(' ', 2);
  const parts = credentials === undefined ? [secret] : [secret, credentials];
  const basic = /^basic$/i.test(scheme) && credentials !== undefined;
  const plain = basic ? Buffer.from(credentials, 'base64').toString('utf8').split(':') : [];
  return [...parts, ...plain].flatMap((one) =>
    [one, decoded(one), encodeURIComponent(one), Buffer.from(one).toString('base64url')].map(
      (form) => lowerCase(form.replace(/\s+/g, ' ').trim()),
    ),
  );
}

/** Where each piece of a text stands. */
function placesOf(text: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (let at = 0; at + pieceLength <= text.length; at++) {
    const piece = text.slice(at, at + pieceLength);
    places.set(piece, [...(places.get(piece) ?? []), at]);
  }
  return places;
}

/** Every character stays one. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
