/** Colours, for commands that print a few lines. */
import type { FlagParametersForType } from '@stricli/core';
import { COLOR_CHOICES, type ColorChoice } from '../print/color.js';

export interface ColorFlag {
  readonly color: ColorChoice;
}

export const colorFlag: FlagParametersForType<ColorFlag> = {
  color: { kind: 'enum', values: COLOR_CHOICES, default: 'auto', brief: 'Colours' },
};
