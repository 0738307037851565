import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The time of day of a process is as many seconds ahead; its monotonic clock is as it is. */
const source = `
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    time->tv_sec += atol(getenv("SKEW_SECONDS"));
  return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  int result = clock_gettime(CLOCK_REALTIME, &now);
  if (time) *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return result;
}
`;

/** Why the clock of a process cannot be skewed here; undefined if it can. */
export function whyNoSkew(): string | undefined {
  try {
    execFileSync('cc', ['--version'], { stdio: 'ignore' });
    return process.platform === 'linux' ? undefined : 'clocks are skewed on Linux only';
  } catch {
    return 'the clock of a process is skewed by a library in C, and there is no compiler (cc)';
  }
}

/**
 * Builds a library that replaces the clock of the C library in a process.
 * @returns the environment of a process whose clock is so many seconds ahead
 */
export function buildSkewedClock(folder: string): (seconds: number) => NodeJS.ProcessEnv {
  const [file, library] = [join(folder, 'skew.c'), join(folder, 'skew.so')];
  writeFileSync(file, source);
  execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, file]);
  return (seconds) => ({ LD_PRELOAD: library, SKEW_SECONDS: String(seconds) });
}
