/** Runs work that is made of steps to its end, and returns its result. */
export function finished<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * Counts work, so that a generator yields after enough of it: an event loop waits meanwhile.
 * @param most the work between two yields
 * @returns adds work, and returns whether to yield
 */
export function paced(most: number): (work: number) => boolean {
  let done = 0;
  return (work) => {
    done += work;
    if (done <= most) return false;
    done = 0;
    return true;
  };
}
