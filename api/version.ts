declare const __VERSION__: string | undefined;
declare const __COMMIT__: string | undefined;

/** The version of this build; `0.0.0-dev` if the sources run without a build. */
export const version: string = typeof __VERSION__ === 'undefined' ? '0.0.0-dev' : __VERSION__;

/** The commit of this build, with `-dirty` if sources were changed since; `unknown` without git. */
export const commit: string = typeof __COMMIT__ === 'undefined' ? 'unknown' : __COMMIT__;

/** What `--version` prints: the version of the program, its commit, and that of Node.js. */
export const versionText = `${version} (commit ${commit}, Node.js ${process.version})`;
