/** A browser opens six connections to one agent for all its windows. So many of them follow events, and questions have the others. */
const places = ['1', '2', '3'];

/**
 * Runs `follow` in one of the places that the windows of this browser share, and holds it until that ends. False at once where all
 * are taken, or where the browser has no locks: it gives none to a page that came over plain HTTP from another host.
 */
export async function followInPlace(follow: () => Promise<void>): Promise<boolean> {
  // The types do not tell that it may be missing.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return false;
  for (const place of places) {
    const name = `meshprobe-events-${place}`;
    const isFree = await locks.request(name, { ifAvailable: true }, async (lock) => {
      if (lock) await follow();
      return lock !== null;
    });
    if (isFree) return true;
  }
  return false;
}
