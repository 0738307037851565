// This is a file of its own, so that the YAML library is loaded only for YAML output.
import { Document, visit } from 'yaml';

/**
 * Writes data as YAML without folded lines. Texts that match `needsEscapes` are in double quotes,
 * where escapes work.
 */
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
