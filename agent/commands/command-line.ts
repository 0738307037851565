import { Command, CommanderError, Option } from 'commander';
import { versionText } from '../../api/version.js';
import { settingEntries } from '../config/settings.js';
import { ConfigError } from '../platform/errors.js';

/** What the command line asks for. */
export type Request =
  | { readonly kind: 'run' | 'check-config'; readonly flags: Readonly<Record<string, unknown>> }
  | { readonly kind: 'answered' };

const examples = `
Every flag is also a key of the --config file (icmp-interval: 1s) and an environment variable
(MESHPROBE_ICMP_INTERVAL=1s; lists separated by commas). Flags win over the environment, the
environment over the file. Durations: 500ms, 10s, 1m30s.

Examples:
  meshprobe-agent --nodes-file nodes.yaml
  meshprobe-agent --node-source kubernetes --kubeconfig ~/.kube/config
  meshprobe-agent --config agent.yaml --check-config
  meshprobe-agent --nodes-file nodes.yaml --node-name c1/n1 --socket-path /tmp/n1.sock \\
                  --listen-address 127.0.1.1 --listen-address 127.0.2.1
  meshprobe-agent responder --listen-address 10.244.1.2    # inside a health endpoint
  meshprobe-agent check --live --ready                     # is the agent on this host well?

A nodes file:
  nodes:
    - name: node1
      host: [198.51.100.1, "2001:db8::1"]
      endpoint: 10.244.1.2

Exit codes: 0 stopped, 1 failed, 2 bad flag, file or variable.`;

/** The command line of the agent, with every setting as a flag. The man page is made of it too. */
export function createAgentCommand(): Command {
  const command = new Command('meshprobe-agent')
    .description('Probes every node of the cluster and serves what it finds on a unix socket.')
    .usage(
      '[options]\n       meshprobe-agent responder [options]\n       meshprobe-agent check --live --ready [options]',
    )
    .version(versionText, '-V, --version')
    .option('--config <FILE>', 'a YAML file of these settings (or MESHPROBE_CONFIG)')
    .option('--check-config', 'check the configuration and the files it names, then exit')
    .configureOutput({ writeErr: () => undefined })
    // Commander would add the text that a flag without a value stands for.
    .configureHelp({ optionDescription: ({ description }) => description })
    .exitOverride()
    .addHelpText('after', examples);
  for (const [name, setting] of settingEntries) {
    const standard = setting.default === undefined ? '' : ` (default: ${setting.default})`;
    const { mayStandAlone = false } = setting;
    const value = mayStandAlone ? `[${setting.value}]` : `<${setting.value}>`;
    const option = new Option(`--${name} ${value}`, `${setting.help}${standard}`);
    if (mayStandAlone) option.preset('true');
    command.addOption(setting.repeatable ? option.argParser(collect) : option);
  }
  return command;
}

/**
 * Reads the agent's arguments. Help and version are printed here.
 * @throws ConfigError where an argument is none of ours
 */
export function readCommandLine(argv: readonly string[]): Request {
  const command = createAgentCommand();
  try {
    command.parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'answered' };
    throw new ConfigError(`${error.message.replace(/^error: /, '')} (see --help)`);
  }
  const given = command.opts<Record<string, unknown>>();
  const { checkConfig, ...rest } = given;
  const flags = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [flagOf(key), value]),
  );
  return { kind: checkConfig === true ? 'check-config' : 'run', flags };
}

function collect(value: string, before: unknown): string {
  return typeof before === 'string' ? `${before},${value}` : value;
}

/** Commander names the flag `icmp-interval` `icmpInterval`. */
function flagOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
