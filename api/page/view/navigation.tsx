import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { Store, useStore } from '../client/store.js';
import { parseRoute, urlOf, type Route } from '../model/routes.js';

/** Tells which view is shown. The browser's history decides, and this class follows it. */
export class Navigation {
  readonly route: Store<Route>;

  constructor() {
    this.route = new Store(parseRoute(location));
    addEventListener('popstate', () => this.route.set(parseRoute(location)));
  }

  /** Goes to a view and adds it to the history, so that the back button returns here. */
  go(route: Route): void {
    history.pushState(null, '', urlOf(route));
    this.route.set(parseRoute(location));
  }

  /**
   * Changes the URL without a new entry in the history. Typing into a field must not fill the
   * history.
   */
  replace(route: Route): void {
    history.replaceState(null, '', urlOf(route));
    this.route.set(parseRoute(location));
  }
}

export const NavigationContext = createContext<Navigation | undefined>(undefined);

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (!navigation) throw new Error('no NavigationContext above this component');
  return navigation;
}

export function useRoute(): Route {
  return useStore(useNavigation().route, (route) => route);
}

interface LinkProps {
  readonly to: Route;
  readonly class?: string;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}

/** A real link. A plain click on it does not load the page again. */
export function Link({ to, current = false, children, ...rest }: LinkProps) {
  const navigation = useNavigation();
  return (
    <a
      {...rest}
      href={urlOf(to)}
      aria-current={current ? 'page' : undefined}
      onClick={(event: MouseEvent) => {
        const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
        if (!isPlain || event.altKey) return;
        event.preventDefault();
        navigation.go(to);
      }}
    >
      {children}
    </a>
  );
}
