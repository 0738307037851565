import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AgentClient } from './agent-client.js';
import type { AgentState, LiveAgent } from './live-agent.js';
import { useStore } from './store.js';
import type { TokenStore } from './token-store.js';

/** What every view may use. */
export interface AgentAccess {
  readonly client: AgentClient;
  readonly live: LiveAgent;
  readonly tokens: TokenStore;
}

export const AgentContext = createContext<AgentAccess | undefined>(undefined);

export function useAgent(): AgentAccess {
  const access = useContext(AgentContext);
  if (!access) throw new Error('no AgentContext above this component');
  return access;
}

/** Returns a part of the agent's state. The view renders again when that part changes. */
export function useAgentState<Picked>(select: (state: AgentState) => Picked): Picked {
  return useStore(useAgent().live.state, select);
}
