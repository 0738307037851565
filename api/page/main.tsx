import { render } from 'preact';
import { AgentClient } from './client/agent-client.js';
import { AgentContext } from './client/context.js';
import { LiveAgent } from './client/live-agent.js';
import { TokenStore } from './client/token-store.js';
import { App } from './view/app.js';
import { Navigation, NavigationContext } from './view/navigation.js';

const tokens = new TokenStore(sessionStorage);
const client = new AgentClient(tokens);
const live = new LiveAgent(client);
const navigation = new Navigation();
live.start();

const place = document.querySelector('#app');
if (!place) throw new Error('index.html has no #app');
render(
  <AgentContext.Provider value={{ client, live, tokens }}>
    <NavigationContext.Provider value={navigation}>
      <App />
    </NavigationContext.Provider>
  </AgentContext.Provider>,
  place,
);
