import type { Command } from 'commander';
import { definition, helpText, paragraph, quote, section, subsection } from './roff.js';

export interface ManPage {
  /** The command whose `--help` the page is made of. */
  readonly command: Command;
  readonly manSection: number;
  readonly version: string;
  /** What is not in the help: the title of a section, and its text in roff. */
  readonly more?: readonly string[];
  readonly seeAlso: readonly string[];
}

/** A man page with all that `--help` says of a command and of its subcommands. */
export function commandPage({ command, manSection, version, more = [], seeAlso }: ManPage): string {
  const name = command.name();
  const commands = command.commands.length === 0 ? [] : shownCommands(command);
  const description = command.description();
  return [
    `.TH ${quote(name.toUpperCase())} ${manSection} "" ${quote(`meshprobe ${version}`)}`,
    section('Name'),
    `${name.replaceAll('-', '\\-')} \\- ${headline(description)}`,
    section('Synopsis'),
    ...usagesOf(command).map((usage) => paragraph(usage)),
    section('Description'),
    paragraph(description),
    section('Options'),
    ...optionsOf(command),
    ...(commands.length === 0 ? [] : [section('Commands')]),
    ...commands.flatMap(subcommand),
    ...helpText(afterHelpOf(command), section),
    ...more,
    section('See also'),
    paragraph(seeAlso.join(', ')),
    '',
  ].join('\n');
}

/** Those that `--help` lists, but for a `help` of commander. */
function shownCommands(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => command.commands.includes(one));
}

function subcommand(command: Command): string[] {
  const names = [command.name(), ...command.aliases()].join('|');
  return [
    subsection(`${names} ${command.usage().replace('[options]', '').trim()}`.trim()),
    paragraph(sentence(command.description())),
    ...optionsOf(command),
    ...helpText(afterHelpOf(command), (title) => paragraph(`${title}:`)),
  ];
}

function usagesOf(command: Command): string[] {
  const [first = '', ...others] = command.usage().split('\n');
  return [`${command.name()} ${first}`, ...others.map((line) => line.trim())];
}

function optionsOf(command: Command): string[] {
  const help = command.createHelp();
  return help
    .visibleOptions(command)
    .map((option) => definition(help.optionTerm(option), help.optionDescription(option)));
}

/** The texts that a command shows after its options. */
function afterHelpOf(command: Command): string {
  let shown = '';
  const outputs = command.configureOutput();
  command.configureOutput({ writeOut: (text) => (shown += text) });
  command.outputHelp();
  command.configureOutput(outputs);
  return shown.slice(command.helpInformation().length);
}

/** One line for `apropos`. */
function headline(text: string): string {
  const [first = ''] = text.replace(/\.$/, '').split('\n');
  return first.charAt(0).toLowerCase() + first.slice(1).replaceAll('-', '\\-');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
}
