/** What is shown where there is nothing to show: still loading, empty, failed. */
import type { ComponentChildren } from 'preact';

export function Loading({ text }: { text: string }) {
  return (
    <div class="notice" role="status">
      <span class="spinner" aria-hidden="true" />
      <p>{text}…</p>
    </div>
  );
}

export function Notice({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="notice">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
