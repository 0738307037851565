/** How long ago something was, in the largest unit that fits: `4 s`, `12 min`, `3 h`, `5 d`. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}

/**
 * Formats a time in the reader's zone, with the date if it is not today.
 * @param at milliseconds since 1970
 */
export function formatTime(at: number, now: number, options: { readonly timeZone?: string } = {}) {
  const day = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', ...options });
  const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', ...options }).format(at);
  return day.format(at) === day.format(now) ? time : `${day.format(at)} ${time}`;
}
