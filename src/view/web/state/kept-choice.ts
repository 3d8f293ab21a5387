/** A choice of how the page looks, which this browser remembers. */
import { atom, type WritableAtom } from 'nanostores';

export function keptChoice<Value extends string>(
  name: string,
  values: readonly Value[],
  first: Value,
): WritableAtom<Value> {
  const kept = read(name);
  const $choice = atom<Value>(values.find((value) => value === kept) ?? first);
  $choice.listen((value) => {
    try {
      localStorage.setItem(name, value);
    } catch {
      // A browser that keeps nothing.
    }
  });
  return $choice;
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}
