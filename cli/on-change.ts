/** Passes a text on where it differs from the one before. */
export function onChange(tell: (text: string) => void): (text: string) => void {
  let last = '';
  return (text) => {
    if (text !== last) tell(text);
    last = text;
  };
}
