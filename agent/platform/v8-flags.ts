import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage sooner, so that the heap does not grow to several times what is in use:
 * an agent shares its node with others and makes little garbage. Call it after the program is
 * loaded, because Node drops its cached code when these flags change earlier. They are hints: a V8
 * that does not know them ignores them. Each new thread sets the first back to 2 for the whole process until it calls
 * this too, so the largest size of the young generation is on the command line (`nodeFlags`).
 */
export function setV8Flags(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=30');
  compileWasmSimply();
}

/**
 * Makes V8 compile WebAssembly once and simply, and not again in the background for speed. The second
 * compilation of undici's HTTP parser takes 20 MB for some seconds, and much of it is kept; a program that sends few
 * GETs does not gain by it. Call it before the first GET. It is a hint like the others.
 */
export function compileWasmSimply(): void {
  setFlagsFromString('--liftoff-only');
}
