import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { cli } from '../../resources/program.js';

/** Starts `meshprobe mcp` as a client does. It ends with the test. */
export async function connectMcp(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli, 'mcp', ...args],
      env,
      stderr: 'inherit',
    }),
  );
  // The client then checks each answer against the tool's schema.
  await client.listTools();
  return client;
}

/** What a tool answers. */
export async function call(
  client: Client,
  name: string,
  input: object = {},
): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: { ...input } })) as CallToolResult;
}
