import { useState } from 'preact/hooks';
import { useAgent } from '../client/context.js';

/** Asks for the API token. The token stays in this tab. */
export function TokenForm() {
  const { live, tokens } = useAgent();
  const [token, setToken] = useState('');
  const wasRefused = tokens.get() !== undefined;
  return (
    <section class="page token" aria-labelledby="token-title">
      <h1 id="token-title" tabIndex={-1}>
        This agent asks for a token
      </h1>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() === '') return;
          tokens.set(token.trim());
          live.start();
        }}
      >
        {wasRefused && (
          <p class="refusal" role="alert">
            The agent refused this token.
          </p>
        )}
        <label>
          API token{' '}
          <input
            type="password"
            autocomplete="off"
            autofocus
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Open</button>
        <p class="muted">
          It is what the agent reads from its <code>--api-token-file</code>. This page keeps it
          until the tab is closed.
        </p>
      </form>
    </section>
  );
}
