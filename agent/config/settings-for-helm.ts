import { formOf } from './parsers.js';
import { listenHostForm } from './setting-form.js';
import { settingEntries } from './settings.js';

/**
 * The settings for the chart, which refuses what agents would not start with. Helm checks the schemas of
 * its values, and the chart's templates the rest.
 */
export function settingsForHelm() {
  const forms = settingEntries.map(([name, { help, schema }]) => {
    const { schema: json, ...rest } = formOf(schema);
    return { name, help, json, rest };
  });
  return {
    schemas: Object.fromEntries(
      forms.map(({ name, help, json }) => [name, { description: help, ...json }]),
    ),
    forms: {
      listenHost: listenHostForm,
      names: forms.map(({ name }) => name),
      settings: Object.fromEntries(
        forms.flatMap(({ name, rest }) =>
          rest.pattern === undefined && rest.fromYaml11 === undefined ? [] : [[name, rest]],
        ),
      ),
    },
  };
}
