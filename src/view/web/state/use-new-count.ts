/** How many rows came at the end since the reader left it. */
import { useRef } from 'preact/hooks';

export function useNewCount(rows: number, isAtEnd: boolean): number {
  const seen = useRef(rows);
  // Rows that come in front while history is loaded make the list longer too, but then nobody has left its end.
  if (isAtEnd || rows < seen.current) seen.current = rows;
  return rows - seen.current;
}
