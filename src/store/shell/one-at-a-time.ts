/**
 * Work that a clock asks for again and again, one at a time: what is asked for while it is under way is left out. Where the other side is slow,
 * requests would else pile up and make it slower still.
 */
export function oneAtATime(work: () => Promise<unknown>): () => void {
  let isUnderWay = false;
  return () => {
    if (isUnderWay) return;
    isUnderWay = true;
    void work().finally(() => {
      isUnderWay = false;
    });
  };
}
