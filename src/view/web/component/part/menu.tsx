/** A button that opens what lies below it; Escape or a look elsewhere closes it. */
import type { ComponentChildren } from 'preact';

interface Props {
  label: string;
  icon: ComponentChildren;
  children: ComponentChildren;
  onToggle?: (isOpen: boolean) => void;
}

export function Menu({ label, icon, children, onToggle }: Props) {
  return (
    <details
      class="menu"
      onToggle={(event) => onToggle?.(event.currentTarget.open)}
      onFocusOut={(event) => {
        const { currentTarget: menu, relatedTarget } = event;
        if (!(relatedTarget instanceof Node && menu.contains(relatedTarget))) menu.open = false;
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !event.currentTarget.open) return;
        event.preventDefault();
        event.currentTarget.open = false;
      }}
    >
      <summary class="icon-button" aria-label={label} title={label}>
        {icon}
      </summary>
      <div class="menu-items">{children}</div>
    </details>
  );
}
