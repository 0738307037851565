/** Runs work that is made of steps to its end, and returns its result. */
export function finished<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** Adds up work, and tells whether so much is done that a generator is to yield: an event loop waits meanwhile. */
export function paced(most: number): (work: number) => boolean {
  let done = 0;
  return (work) => {
    done += work;
    if (done <= most) return false;
    done = 0;
    return true;
  };
}
