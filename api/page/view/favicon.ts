import broken from '../icons/broken.svg';
import degraded from '../icons/degraded.svg';
import ok from '../icons/ok.svg';
import unknown from '../icons/unknown.svg';

const icons = { broken, degraded, ok, unknown };

/**
 * Shows a verdict in the icon of the tab, as a colour and as a shape. An unknown word is no good news.
 *
 * The icons are files of the agent, as the page allows no images from elsewhere. An agent that is away
 * sends none, but the browser has the icon `unknown` since it read index.html.
 */
export function showInFavicon(verdict: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  const icon = Object.hasOwn(icons, verdict) ? icons[verdict as keyof typeof icons] : unknown;
  if (link && link.getAttribute('href') !== icon) link.href = icon;
}
