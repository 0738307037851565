import type { Argument, Command, Option } from 'commander';

/** One command with what a shell can complete. */
interface Entry {
  readonly names: readonly string[];
  readonly description: string;
  readonly options: readonly Option[];
  /** Words that may follow the command itself. */
  readonly words: readonly string[];
  readonly takesFiles: boolean;
  /** Whose names may follow the command itself. */
  readonly takesNames: NameKind | undefined;
}

const nameKinds = ['nodes', 'targets', 'zones', 'labels', 'kinds'] as const;
type NameKind = (typeof nameKinds)[number];

interface Cli {
  readonly name: string;
  readonly entries: readonly Entry[];
  readonly global: readonly Option[];
}

/** Returns a completion script for a shell, made from the program's own commands and options. */
export function renderCompletion(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const help = program.createHelp();
  const entries = help.visibleCommands(program).map((command): Entry => ({
    names: [command.name(), ...command.aliases()],
    description: command.description(),
    options: help.visibleOptions(command),
    words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    takesFiles: command.registeredArguments.some(isFile),
    takesNames: namesIn(command.registeredArguments.map((argument) => argument.name()).join(' ')),
  }));
  return { bash, zsh, fish }[shell]({
    name: program.name(),
    entries,
    global: help.visibleOptions(program),
  });
}

/** An argument whose name looks like a file is a file. */
function isFile(argument: Argument): boolean {
  return argument.name() === 'file' || argument.name().endsWith('.json');
}

/** Whose names an argument or the value of an option is, by what it is called. */
function namesIn(text: string): NameKind | undefined {
  return nameKinds.find((kind) => new RegExp(`\\b${kind.slice(0, -1)}\\b`).test(text));
}

/** The command that prints names. What says which agent is asked is in `agent`, which each script fills from the line. */
function askFor(program: string, kind: string, agent: string): string {
  return `${program} names ${kind} ${agent} --timeout 2s 2>/dev/null`;
}

/** The options that say which agent is asked, and how: alone, and with the value in the same word. */
function agentFlags(global: readonly Option[]) {
  const alone = flagsOf(global.filter(isPath));
  return { alone, withValue: alone.filter((flag) => flag.startsWith('--')) };
}

/** The value is a file, or an address, which may be the path of a socket. */
function isPath(option: Option): boolean {
  return option.flags.includes('<address>') || option.flags.includes('<file>');
}

const flagsOf = (options: readonly Option[]): string[] =>
  options.flatMap(({ short, long }) => [short, long].filter((flag) => flag !== undefined));

/** The options of a command and of the program, without duplicates. */
function allOptions({ options }: Entry, global: readonly Option[]): Option[] {
  const own = new Set(options.map(({ long }) => long));
  return [...options, ...global.filter(({ long }) => !own.has(long))];
}

function valueFlags({ entries, global }: Cli): string[] {
  const options = [...entries.flatMap((entry) => entry.options), ...global];
  return [...new Set(flagsOf(options.filter(({ required }) => required)))];
}

function bash(cli: Cli): string {
  const { name, entries, global } = cli;
  const asked = agentFlags(global);
  const choices = entries.flatMap((entry) =>
    entry.options.flatMap((option) =>
      option.argChoices
        ? [
            `    ${flagsOf([option])
              .map((flag) => `${entry.names[0] ?? ''}:${flag}`)
              .join('|')}) candidates="${option.argChoices.join(' ')}" ;;`,
          ]
        : [],
    ),
  );
  const paths = flagsOf(global.filter(isPath)).map((flag) => `*:${flag}`);
  const names = nameKinds.flatMap((kind) => {
    const options = entries.flatMap((entry) =>
      flagsOf(entry.options.filter(({ required, flags }) => required && namesIn(flags) === kind)),
    );
    const flags = [...new Set(options)].map((flag) => `*:${flag}`).join('|');
    return flags === '' ? [] : [`    ${flags}) names=${kind} ;;`];
  });
  const values = valueFlags(cli);
  const commands = entries.map(
    ({ names }) => `      ${names.join('|')}) command=${names[0] ?? ''}; break ;;`,
  );
  const words = entries.map((entry) => {
    const flags = flagsOf(allOptions(entry, global));
    const files = entry.takesFiles ? ' files=yes' : '';
    const asked = entry.takesNames ? ` names=${entry.takesNames}` : '';
    return `    ${entry.names[0] ?? ''}:*) candidates="${[...entry.words, ...flags].join(' ')}"${files}${asked} ;;`;
  });
  const top = [...entries.flatMap(({ names }) => names), ...flagsOf(global)];
  return `# bash completion of ${name}: source <(${name} completion bash)
_${name}() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  local command= candidates= files= names= i IFS=$' \\t\\n' agent=() line
  # COMP_WORDS are cut at colons too.
  read -ra line <<<"\${COMP_LINE:0:COMP_POINT}"
  for ((i = 1; i < \${#line[@]}; i++)); do
    case \${line[i]} in
      ${asked.alone.join('|')}) agent+=("\${line[i]}" "\${line[i+1]/#\\~\\//$HOME/}"); i=$((i + 1)) ;;
      ${asked.withValue.map((flag) => `${flag}=*`).join('|')}) agent+=("\${line[i]}") ;;
    esac
  done
  # --output=json comes as three words.
  if [[ $word == = ]]; then word=
  elif [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${values.join('|')})
        [[ \${COMP_WORDS[i+1]} == = ]] && i=$((i + 1))
        i=$((i + 1)) ;;
${commands.join('\n')}
    esac
  done
  case $command:$before in
${choices.join('\n')}
    ${paths.join('|')}) files=yes ;;
${names.join('\n')}
    ${values.map((flag) => `*:${flag}`).join('|')}) return ;;
${words.join('\n')}
    *) candidates="${top.join(' ')}" ;;
  esac
  if [[ $names && $word != -* ]]; then candidates+=" $(${askFor(name, '"$names"', '"${agent[@]}"')})"; fi
  COMPREPLY=($(compgen -W "$candidates" -- "$word"))
  if [[ $files ]]; then
    compopt -o filenames 2>/dev/null
    IFS=$'\\n'
    COMPREPLY+=($(compgen -f -- "$word"))
  fi
}
complete -F _${name} ${name}
`;
}

function zsh({ name, entries, global }: Cli): string {
  const asked = agentFlags(global);
  const quote = (text: string) => text.replace(/['[\]:\\]/g, ' ');
  const asking = (kind: NameKind) => `{compadd -- \${(f)"$(${askFor(name, kind, '$agent')})"}}`;
  const spec = (option: Option): string[] => {
    const { description, argChoices, required, flags } = option;
    const kind = namesIn(flags);
    const action = argChoices
      ? `(${argChoices.join(' ')})`
      : isPath(option)
        ? '_files'
        : kind
          ? asking(kind)
          : ' ';
    const value = required ? `:value:${action}` : '';
    return flagsOf([option]).map((flag) => `'*${flag}[${quote(description)}]${value}'`);
  };
  const cases = entries.map((entry) => {
    const { names, words, takesFiles, takesNames } = entry;
    const specs = [
      ...allOptions(entry, global).flatMap(spec),
      ...(words.length > 0 ? [`'1:word:(${words.join(' ')})'`] : []),
      ...(takesFiles ? [`'*:file:_files'`] : []),
      ...(takesNames ? [`'1:name:${asking(takesNames)}'`] : []),
    ];
    return `    ${names.join('|')}) _arguments ${specs.join(' ')} ;;`;
  });
  const commands = entries.flatMap(({ names, description }) =>
    names.map((one) => `'${one}:${quote(description)}'`),
  );
  return `#compdef ${name}
_${name}() {
  local context state state_descr line
  typeset -A opt_args
  local -a agent
  local -i at
  for ((at = 2; at < $#words; at++)); do
    case $words[at] in
      ${asked.alone.join('|')}) agent+=($words[at] \${(Q)words[at+1]/#\\~\\//$HOME/}); ((at++)) ;;
      ${asked.withValue.map((flag) => `${flag}=*`).join('|')}) agent+=(\${(Q)words[at]}) ;;
    esac
  done
  _arguments -C ${global.flatMap(spec).join(' ')} '1:command:->command' '*::argument:->argument'
  case $state in
    command) local -a commands=(${commands.join(' ')}); _describe command commands ;;
    argument) case $words[1] in
${cases.join('\n')}
    esac ;;
  esac
}
# As an autoloaded file this is the function's body at the first Tab, which must complete too.
if [[ \${funcstack[1]} == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function fish(cli: Cli): string {
  const { name, entries, global } = cli;
  const asked = agentFlags(global);
  const quote = (text: string): string =>
    `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const line = (condition: string, option: Option): string => {
    const { short, long, description, argChoices, required, flags } = option;
    const kind = namesIn(flags);
    const value = argChoices
      ? `-x -a ${quote(argChoices.join(' '))}`
      : isPath(option)
        ? '-r -F'
        : kind
          ? `-x -a ${quote(`(__${name}_names ${kind})`)}`
          : '-x';
    return [
      `complete -c ${name}${condition}`,
      ...(short ? [`-s ${short.slice(1)}`] : []),
      ...(long ? [`-l ${long.slice(2)}`] : []),
      ...(required ? [value] : []),
      `-d ${quote(description)}`,
    ].join(' ');
  };
  const lines = entries.flatMap((entry) => {
    const { names, description, options, words, takesFiles, takesNames } = entry;
    const within = ` -n ${quote(`contains -- (__${name}_command) ${names.join(' ')}`)}`;
    return [
      ...names.map(
        (one) =>
          `complete -c ${name} -n ${quote(`test -z (__${name}_command)`)} -a ${one} -d ${quote(description)}`,
      ),
      ...options.map((option) => line(within, option)),
      ...(words.length > 0 ? [`complete -c ${name}${within} -a ${quote(words.join(' '))}`] : []),
      ...(takesFiles ? [`complete -c ${name}${within} -F`] : []),
      ...(takesNames
        ? [`complete -c ${name}${within} -a ${quote(`(__${name}_names ${takesNames})`)}`]
        : []),
    ];
  });
  return `# fish completion of ${name}
# The command on the line: the first word that is neither an option nor the value of one.
function __${name}_command
    set -l is_value 0
    for word in (commandline -opc)[2..-1]
        if test $is_value = 1
            set is_value 0
        else if contains -- $word ${valueFlags(cli).join(' ')}
            set is_value 1
        else if not string match -q -- '-*' $word
            echo $word
            return
        end
    end
end
# The names of a kind, from the agent that the line says.
function __${name}_names
    set -l agent
    set -l is_value 0
    for word in (commandline -opc)
        if test $is_value = 1
            set -a agent (string replace -r '^~/' $HOME/ -- $word)
            set is_value 0
        else if contains -- $word ${asked.alone.join(' ')}
            set -a agent $word
            set is_value 1
        else if string match -qr '^(${asked.withValue.join('|')})=' -- $word
            set -a agent $word
        end
    end
    ${askFor(name, '$argv[1]', '$agent')}
end
${[`complete -c ${name} -f`, ...global.map((option) => line('', option)), ...lines].join('\n')}
`;
}
