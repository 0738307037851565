declare module '*.svg' {
  /** The URL of the built file. */
  const url: string;
  export default url;
}
