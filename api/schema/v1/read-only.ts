/** A body or a part of it. Nobody changes it, neither its writer nor its readers. */
export type ReadOnly<T> = T extends object ? { readonly [K in keyof T]: ReadOnly<T[K]> } : T;
