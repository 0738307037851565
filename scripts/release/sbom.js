/**
 * @typedef {object} Component
 * @property {string} bom-ref NAME@VERSION
 * @property {string} name
 * @property {string} [scope]
 * @property {{ name: string, value: string }[]} [properties]
 *
 * @typedef {object} Bom
 * @property {{ component: Component }} metadata
 * @property {Component[]} components
 * @property {{ ref: string, dependsOn: string[] }[]} dependencies
 */

/**
 * What `npm sbom` says of the checkout, with only what is in the package: the packages that are
 * bundled, as THIRD-PARTY-NOTICES.txt lists them, and those that npm installs with it. npm itself
 * would leave the bundled ones out with the other development dependencies.
 * @param {Bom} bom of `npm sbom --sbom-format cyclonedx --package-lock-only`
 * @param {string} notices
 * @param {{ name: string, dependencies: object, optionalDependencies: object }} about of package.json
 * @returns {Bom}
 * @throws Error if a bundled package is not in it
 */
export function packageBom(bom, notices, about) {
  const bundled = new Set(
    [...notices.matchAll(/^(@?[\w./-]+) (\d+\.\d+\.\d+\S*) \(/gm)].map(
      ([, name, version]) => `${name}@${version}`,
    ),
  );
  const all = new Map(bom.components.map((one) => [one['bom-ref'], one]));
  const missing = [...bundled].filter((ref) => !all.has(ref));
  if (missing.length > 0 || bundled.size === 0) {
    throw new Error(
      `expected the bundled packages in the lock file, got none of ${missing.join(', ')}`,
    );
  }
  const direct = [...Object.keys(about.dependencies), ...Object.keys(about.optionalDependencies)];
  const installed = new Set(
    bom.components.filter(({ name }) => direct.includes(name)).map((one) => one['bom-ref']),
  );
  const dependsOn = new Map(bom.dependencies.map((one) => [one.ref, one.dependsOn]));
  // A set gives what is added to it while it is walked, too.
  for (const ref of installed) for (const next of dependsOn.get(ref) ?? []) installed.add(next);

  const components = bom.components
    .filter((one) => bundled.has(one['bom-ref']) || installed.has(one['bom-ref']))
    .map((one) => (bundled.has(one['bom-ref']) ? asBundled(one) : one));
  const refs = new Set([bom.metadata.component, ...components].map((one) => one['bom-ref']));
  return {
    ...bom,
    // npm calls it after the folder of the checkout.
    metadata: { ...bom.metadata, component: { ...bom.metadata.component, name: about.name } },
    components,
    dependencies: bom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
  };
}

/** @param {Component} component @returns {Component} */
function asBundled(component) {
  const properties = (component.properties ?? []).filter(
    ({ name }) => name !== 'cdx:npm:package:development',
  );
  const bundled = { name: 'cdx:npm:package:bundled', value: 'true' };
  return { ...component, scope: 'required', properties: [...properties, bundled] };
}
