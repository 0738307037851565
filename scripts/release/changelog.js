/**
 * What the changelog says of a version: the release notes.
 * @param {string} changelog
 * @param {string} version or `Unreleased`
 * @returns {string} without the heading
 * @throws Error if the version has no section, or an empty one
 */
export function releaseNotes(changelog, version) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}]`));
  const notes = section?.slice(section.indexOf('\n')).trim() ?? '';
  if (notes === '') {
    throw new Error(`expected a section "## [${version}]" with text in CHANGELOG.md, got none`);
  }
  return `${notes}\n`;
}
