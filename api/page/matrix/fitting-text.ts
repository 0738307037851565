/**
 * Returns the first text that fits the room, in the order in which they are preferred; the last one if
 * none does.
 * @param widthOf the width of a text as it is written
 */
export function fittingText(
  texts: readonly string[],
  room: number,
  widthOf: (text: string) => number,
): string {
  return texts.find((text) => widthOf(text) <= room) ?? texts.at(-1) ?? '';
}

const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** A part and its whole, from all digits to a few: `40,000 of 110,888`, `40,000`, `40K`. */
export function partWords(part: number, whole: number): readonly string[] {
  return [
    `${part.toLocaleString('en')} of ${whole.toLocaleString('en')}`,
    part.toLocaleString('en'),
    compact.format(part),
  ];
}
