/** Who else is told when an agent waits or has ended. */
import type { FlagParametersForType } from '@stricli/core';

export interface NotifyFlag {
  readonly notify?: readonly string[];
}

export const notifyFlag: FlagParametersForType<NotifyFlag> = {
  notify: {
    kind: 'parsed',
    parse: parseVector,
    optional: true,
    placeholder: 'program',
    brief: 'Start this when it waits or has ended, with JSON on its input; with arguments: \'["say", "-v", "Anna"]\'',
  },
};

/** A program, or a JSON list of it and its arguments. No shell reads it, so that nothing is taken apart or replaced. */
function parseVector(text: string): string[] {
  if (!text.trimStart().startsWith('[')) {
    if (text.trim() === '') throw new SyntaxError('Name a program');
    return [text];
  }
  const vector = listIn(text);
  if (!Array.isArray(vector) || vector.length === 0 || !vector.every((part) => typeof part === 'string') || !vector[0])
    throw new SyntaxError('Write the program and its arguments as a JSON list of texts: ["notify", "--now"]');
  return vector;
}

function listIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
