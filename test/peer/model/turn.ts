/** What a scripted model says in answer to one call, in no vendor's words. */
export interface ModelTurn {
  thinking?: string;
  text?: string;
  tools?: readonly {
    name: string;
    input: Record<string, unknown>;
    id?: string /** Instead of the input, as the model wrote it. */;
    written?: string;
  }[];
  /** The connection is lost behind the first piece of the text. */
  cut?: true;
  /** The model had to stop because its answer became too long. */
  tooLong?: true;
  /** Sends the first piece of the text, or nothing of an answer that comes whole, and then waits for this. */
  hold?: Promise<void>;
  /** Tokens that the call is said to have used, in the vendor's words. */
  usage?: Record<string, number>;
  /** An HTTP error instead of an answer. */
  status?: number;
  message?: string;
  /** With the error. */
  headers?: Readonly<Record<string, string>>;
}

export interface ModelCall {
  /** How many calls were answered by the script before, from 0. */
  n: number;
  body: Record<string, unknown>;
  /** The whole conversation as text, to look for marks. */
  text: string;
  /** A tool result is the last thing said. */
  afterTool: boolean;
}

export type Script = (call: ModelCall) => ModelTurn;

/** One turn after the other; the last one repeats. */
export function sequence(...turns: readonly ModelTurn[]): Script {
  return ({ n }) => turns[Math.min(n, turns.length - 1)] ?? { text: 'nothing more to say' };
}

/** A promise that the test settles itself. */
export function gate(): { open: () => void; promise: Promise<void> } {
  let open = (): void => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, promise };
}
