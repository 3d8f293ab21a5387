/** A button that opens what lies below it; Escape or a look elsewhere closes it. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Props {
  label: string;
  icon: ComponentChildren;
  children: ComponentChildren;
  onToggle?: (isOpen: boolean) => void;
}

export function Menu({ label, icon, children, onToggle }: Props) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event) => {
      const own = menu.current;
      if (own?.open && !(target instanceof Node && own.contains(target))) own.open = false;
    };
    const closeByKey = (event: KeyboardEvent) => {
      const own = menu.current;
      if (event.key !== 'Escape' || !own?.open) return;
      event.preventDefault();
      own.open = false;
      own.querySelector('summary')?.focus();
    };
    document.addEventListener('pointerdown', close);
    // Wherever the focus is, as it is nowhere between two steps; and before whoever else Escape means something to.
    document.addEventListener('keydown', closeByKey, true);
    return () => {
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('keydown', closeByKey, true);
    };
  }, []);
  return (
    <details
      class="menu"
      onToggle={(event) => onToggle?.(event.currentTarget.open)}
      ref={menu}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        // Nothing is where the focus went: what had it is gone, as where one step follows another.
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
      }}
    >
      <summary class="icon-button" aria-label={label} title={label}>
        {icon}
      </summary>
      <div class="menu-items">{children}</div>
    </details>
  );
}
