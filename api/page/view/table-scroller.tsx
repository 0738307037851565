import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

interface TableScrollerProps {
  /** Names the region for screen readers. */
  readonly label: string;
  readonly children: ComponentChildren;
}

/**
 * Holds a table that may be wider than the screen. While columns are cut at its right end, a mark
 * says so, and a tap on it scrolls there.
 */
export function TableScroller({ label, children }: TableScrollerProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [isCut, setCut] = useState(false);
  const look = (): void => {
    const { scrollWidth = 0, scrollLeft = 0, clientWidth = 0 } = scroller.current ?? {};
    setCut(scrollWidth - scrollLeft - clientWidth > 1);
  };
  // Other rows may make the table wider.
  useLayoutEffect(look);
  useEffect(() => {
    if (!scroller.current) return;
    const observer = new ResizeObserver(look);
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div class={`table-frame${isCut ? ' is-cut' : ''}`}>
      <div
        class="table-scroller"
        ref={scroller}
        tabIndex={0}
        role="region"
        aria-label={label}
        onScroll={look}
      >
        {children}
      </div>
      {/* A screen reader is shown all columns. */}
      {isCut && (
        <button
          type="button"
          class="cut-mark"
          tabIndex={-1}
          aria-hidden="true"
          onClick={() => scroller.current?.scrollBy({ left: scroller.current.clientWidth * 0.6 })}
        >
          more →
        </button>
      )}
    </div>
  );
}
