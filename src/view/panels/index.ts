/** The panels: all sessions beside the one that is looked at, as a state, what changes it, and rows of a screen. */
export { askingChangesAt } from './asking.js';
export { frameRows } from './frame-rows.js';
export { groupOf } from './listing.js';
export {
  chosen,
  type Deed,
  type Listed,
  type Moment,
  NOTHING_SHOWN,
  nameOf,
  type Opened,
  type PanelsState,
  type Size,
} from './state.js';
export { type PanelsEvent, update } from './update.js';
