// A file of its own, so that the YAML library is loaded only where YAML is asked for.
import { Document, visit } from 'yaml';

/** Data as YAML, no line folded; texts that match are in double quotes, where escapes count. */
export function toYaml(data: unknown, needsEscapes: RegExp): string {
  const document = new Document(data, { aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, scalar) {
      if (typeof scalar.value === 'string' && needsEscapes.test(scalar.value)) {
        scalar.type = 'QUOTE_DOUBLE';
      }
    },
  });
  return document.toString({ lineWidth: 0 });
}
