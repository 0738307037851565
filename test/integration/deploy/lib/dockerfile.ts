import { posix } from 'node:path';

type Step =
  | {
      readonly kind: 'copy';
      readonly from: string | undefined;
      readonly sources: readonly string[];
      readonly to: string;
    }
  | { readonly kind: 'run'; readonly command: string; readonly in: string };

export interface Stage {
  readonly name: string;
  readonly base: string;
  readonly steps: readonly Step[];
  readonly user: string | undefined;
  readonly entrypoint: readonly string[];
  readonly cmd: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Reads a plain Dockerfile: one instruction a line, or continued with a backslash.
 * @throws Error for an instruction that it does not know
 */
export function readDockerfile(text: string): Stage[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.trim().replace(/\s+/g, ' '))
    .filter((line) => line !== '');
  const variables: Record<string, string> = {};
  const stages: (Stage & { steps: Step[]; workdir: string })[] = [];
  for (const line of lines) {
    const [instruction = '', ...words] = line.split(' ');
    const rest = words
      .join(' ')
      .replace(/\$\{(\w+)\}/g, (_, name: string) => variables[name] ?? '');
    const stage = stages.at(-1);
    if (instruction === 'ARG') {
      const [name = '', value = ''] = rest.split('=');
      variables[name] = value;
    } else if (instruction === 'FROM') {
      const [base = '', , name = ''] = rest.split(' ');
      const none = { user: undefined, entrypoint: [], cmd: [], env: {}, steps: [], workdir: '/' };
      stages.push({ base, name, ...none });
    } else if (stage === undefined) {
      throw new Error(`expected FROM, got ${line}`);
    } else {
      Object.assign(stage, change(stage, instruction, rest));
    }
  }
  return stages;
}

function change(stage: Stage & { workdir: string }, instruction: string, rest: string): object {
  const { workdir, steps } = stage;
  switch (instruction) {
    case 'WORKDIR':
      return { workdir: posix.resolve(workdir, rest) };
    case 'ENV': {
      const [name = '', value = ''] = rest.split('=');
      return { env: { ...stage.env, [name]: value } };
    }
    case 'RUN':
      return { steps: [...steps, { kind: 'run', command: rest, in: workdir }] };
    case 'COPY': {
      const [, from] = /^--from=(\S+) /.exec(rest) ?? [];
      const sources = rest.replace(/^--\S+ /, '').split(' ');
      const to = sources.pop() ?? '';
      const whole = posix.resolve(workdir, to) + (to.endsWith('/') ? '/' : '');
      return { steps: [...steps, { kind: 'copy', from, sources, to: whole }] };
    }
    case 'USER':
      return { user: rest };
    case 'ENTRYPOINT':
      return { entrypoint: JSON.parse(rest) as string[] };
    case 'CMD':
      return { cmd: JSON.parse(rest) as string[] };
    default:
      throw new Error(`expected an instruction that is known here, got ${instruction}`);
  }
}

/** Whether a .dockerignore that excludes everything includes this path again. */
export function isLetIn(path: string, dockerignore: string): boolean {
  const lines = dockerignore.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const [all, ...exceptions] = lines;
  if (all !== '*' || exceptions.some((line) => !/^![\w./-]+$/.test(line))) {
    throw new Error('expected a .dockerignore of * and exceptions');
  }
  return exceptions.some((line) => path === line.slice(1) || path.startsWith(`${line.slice(1)}/`));
}
