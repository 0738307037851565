declare const __VERSION__: string | undefined;

/** The version of this build; `0.0.0-dev` if the sources run without a build. */
export const version: string = typeof __VERSION__ === 'undefined' ? '0.0.0-dev' : __VERSION__;
