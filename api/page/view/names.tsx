import { plainText } from '../model/plain-text.js';
import { Link } from './navigation.js';

/** A name from the network. It is shown as text, whatever it holds. */
export function Name({ of }: { readonly of: string }) {
  return <bdi class="name">{plainText(of)}</bdi>;
}

/** A node's name as a link to its page. */
export function NodeLink({ name }: { readonly name: string }) {
  return (
    <Link to={{ view: 'node', name }}>
      <Name of={name} />
    </Link>
  );
}
