import { plainText } from '../model/plain-text.js';
import { Link } from './navigation.js';

/** A name from the network: text, whatever it holds. */
export function Name({ of }: { readonly of: string }) {
  return <bdi class="name">{plainText(of)}</bdi>;
}

/** A node's name that leads to its page. */
export function NodeLink({ name }: { readonly name: string }) {
  return (
    <Link to={{ view: 'node', name }}>
      <Name of={name} />
    </Link>
  );
}
