/** Rows one under the other: what is said has air around it, everything else stands together, and each run begins under a rule of its own. */

/** Where the rows so far have come to; plain, so that they can be continued later. */
export interface Place {
  hasRows: boolean;
  isSpeech: boolean;
  /** Number of the run that was last told of. */
  run?: number | undefined;
  /** Number of the conversation that was last told of, and the call whose sub-agent would be next. */
  thread: number;
  tool?: string | undefined;
}

export const BEGINNING: Place = { hasRows: false, isSpeech: false, thread: 0 };

export interface Flow {
  readonly rows: string[];
  readonly place: Place;
  add(more: readonly string[], isSpeech: boolean): void;
}

export function createFlow(from: Place = BEGINNING): Flow {
  const rows: string[] = [];
  const place = { ...from };
  return {
    rows,
    place,
    add(more, isSpeech) {
      if (more.length === 0) return;
      if (place.hasRows && (isSpeech || place.isSpeech)) rows.push('');
      rows.push(...more);
      place.hasRows = true;
      place.isSpeech = isSpeech;
    },
  };
}
