import { Command } from 'commander';
import { expect, test } from 'vitest';
import { settingEntries } from '../../../../agent/config/settings.js';
import { createProgram } from '../../../../cli/program.js';
import { commandPage } from '../../../../scripts/man/command-page.js';
import { manPages } from '../../../../scripts/man/pages.js';
import { escapeRoff } from '../../../../scripts/man/roff.js';

const pages = manPages('1.2.3');
const agentPage = pages['meshprobe-agent.8'] ?? '';
const cliPage = pages['meshprobe.1'] ?? '';

test('the page of the agent has every setting, and its other commands', () => {
  const flags = settingEntries.map(([name]) => `\\fB${escapeRoff(`--${name} `)}`);
  expect(flags.filter((flag) => !agentPage.includes(flag))).toEqual([]);
  expect(agentPage).toContain('.SH "MESHPROBE\\-AGENT RESPONDER"');
  expect(agentPage).toContain('.SH "MESHPROBE\\-AGENT CHECK"');
  expect(agentPage).toContain('Exit codes: 0 stopped, 1 failed');
});

test('the page of the CLI has every command with its options and examples', () => {
  const nothing = { write: () => undefined };
  const { signal } = new AbortController();
  const io = { stdout: nothing, stderr: nothing, env: {}, signal };
  const { commands } = createProgram(io, () => undefined);
  expect(commands.length).toBeGreaterThan(9);
  for (const command of commands) {
    const [, rest = ''] = cliPage.split(`\n.SS "${command.name()}`);
    const [section = ''] = rest.split('\n.S');
    for (const { flags, hidden } of command.options)
      expect(section.includes(escapeRoff(flags)), flags).toBe(!hidden);
  }
  expect(cliPage).toContain(escapeRoff('meshprobe status --succinct          one line a node'));
  expect(cliPage).toContain('.SS "get|inspect|show"');
  expect(cliPage).not.toContain('.SS "names');
});

test('the help itself is printed as before', () => {
  let printed = '';
  const command = new Command('x').configureOutput({ writeOut: (text) => (printed += text) });
  command.addHelpText('after', '\nExamples:\n  x --help\n');
  const page = commandPage({ command, manSection: 1, version: '1', seeAlso: ['y(1)'] });
  expect(printed).toBe('');
  expect(page).toContain('.SH "EXAMPLES"\n.PP\n.nf\nx \\-\\-help\n.fi');
  command.outputHelp();
  expect(printed).toContain('Examples:\n  x --help\n');
});

test.each([
  ['.TH evil', '\\&.TH evil'],
  ["a\n'br", "a\n\\&'br"],
  ['C:\\n', 'C:\\en'],
  ['--flag', '\\-\\-flag'],
])('%j is text and no request', (text, escaped) => {
  expect(escapeRoff(text)).toBe(escaped);
});
