/** No agent can be asked. The message says why in one line. */
export class NoAgent extends Error {
  override readonly name = 'NoAgent';
}
