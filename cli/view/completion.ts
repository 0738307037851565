import type { Command, Option } from 'commander';

interface Entry {
  readonly names: readonly string[];
  readonly description: string;
  readonly options: readonly Option[];
  /** Words that may follow the command itself. */
  readonly words: readonly string[];
}

/** A completion script of a shell, from the program's own commands and options. */
export function renderCompletion(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const entries = program.commands.map((command): Entry => ({
    names: [command.name(), ...command.aliases()],
    description: command.description(),
    options: [...command.options, ...program.options],
    words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  }));
  return { bash, zsh, fish }[shell](program.name(), entries, program.options);
}

const flagsOf = (options: readonly Option[]): string[] =>
  options.flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined));

const withChoices = (entries: readonly Entry[]): Option[] => {
  const options = entries.flatMap(({ options }) => options).filter(({ argChoices }) => argChoices);
  return [...new Map(options.map((option) => [option.long, option])).values()];
};

function bash(name: string, entries: readonly Entry[], global: readonly Option[]): string {
  const choices = withChoices(entries).map(
    (option) =>
      `    ${flagsOf([option]).join('|')}) COMPREPLY=($(compgen -W "${(option.argChoices ?? []).join(' ')}" -- "$word")); return ;;`,
  );
  const cases = entries.map(
    ({ names, options, words }) =>
      `    ${names.join('|')}) candidates="${[...words, ...flagsOf(options)].join(' ')}" ;;`,
  );
  const commands = entries.flatMap(({ names }) => names);
  return `# bash completion of ${name}: source <(${name} completion bash)
_${name}() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} candidates= i
  case $before in
${choices.join('\n')}
    *) ;;
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do case \${COMP_WORDS[i]} in
${cases.join('\n')}
    *) continue ;;
  esac; break; done
  [[ -n $candidates ]] || candidates="${[...commands, ...flagsOf(global)].join(' ')}"
  COMPREPLY=($(compgen -W "$candidates" -- "$word"))
}
complete -F _${name} ${name}
`;
}

function zsh(name: string, entries: readonly Entry[], global: readonly Option[]): string {
  const spec = ({ short, long, description, argChoices, required }: Option): string[] => {
    const value = required ? `:value:${argChoices ? `(${argChoices.join(' ')})` : ''}` : '';
    return [short, long]
      .filter((flag) => flag !== undefined)
      .map((flag) => `'${flag}[${description.replace(/['[\]:]/g, ' ')}]${value}'`);
  };
  const cases = entries.map(
    ({ names, options, words }) =>
      `    ${names.join('|')}) _arguments ${options.flatMap(spec).join(' ')}${words.length > 0 ? ` '1:word:(${words.join(' ')})'` : ''} ;;`,
  );
  const commands = entries.map(
    ({ names, description }) => `'${names[0] ?? ''}:${description.replace(/[':]/g, ' ')}'`,
  );
  return `#compdef ${name}
_${name}() {
  local state
  _arguments -C ${global.flatMap(spec).join(' ')} '1:command:->command' '*::argument:->argument'
  case $state in
    command) local -a commands=(${commands.join(' ')}); _describe command commands ;;
    argument) case $words[1] in
${cases.join('\n')}
    esac ;;
  esac
}
compdef _${name} ${name}
`;
}

function fish(name: string, entries: readonly Entry[], global: readonly Option[]): string {
  const quote = (text: string): string =>
    `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const option = (
    condition: string,
    { short, long, description, argChoices, required }: Option,
  ): string =>
    [
      `complete -c ${name}${condition}`,
      ...(short ? [`-s ${short.slice(1)}`] : []),
      ...(long ? [`-l ${long.slice(2)}`] : []),
      ...(required ? [argChoices ? `-x -a ${quote(argChoices.join(' '))}` : '-x'] : []),
      `-d ${quote(description)}`,
    ].join(' ');
  const lines = entries.flatMap(({ names, description, options, words }) => {
    const within = ` -n ${quote(`__fish_seen_subcommand_from ${names.join(' ')}`)}`;
    return [
      `complete -c ${name} -n __fish_use_subcommand -a ${names[0] ?? ''} -d ${quote(description)}`,
      ...options.filter((one) => !global.includes(one)).map((one) => option(within, one)),
      ...(words.length > 0 ? [`complete -c ${name}${within} -a ${quote(words.join(' '))}`] : []),
    ];
  });
  return [`complete -c ${name} -f`, ...global.map((one) => option('', one)), ...lines, ''].join(
    '\n',
  );
}
