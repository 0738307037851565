type Present<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

/** The fields that are there. */
export function withoutAbsent<Fields extends object>(fields: Fields): Partial<Present<Fields>> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as Partial<Present<Fields>>;
}
