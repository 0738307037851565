/** The check could not run, and says nothing of the network. The message says why. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}
