/** For commands that play something back. */
import type { FlagParametersForType } from '@stricli/core';

export interface SpeedFlag {
  readonly speed: number;
}

export const speedFlag: FlagParametersForType<SpeedFlag> = {
  speed: {
    kind: 'parsed',
    parse: parseSpeed,
    default: '1',
    placeholder: 'factor',
    brief: 'How many times as fast, for example 4 or 0.5',
  },
};

function parseSpeed(input: string): number {
  const speed = Number(input);
  if (!(speed > 0)) throw new Error(`a speed is a number above 0, not ${input}`);
  return speed;
}
