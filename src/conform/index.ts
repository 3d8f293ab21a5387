export type { Case } from './case.js';
export type { Result } from './conform.js';
export { conform } from './conform.js';
export { hostileCases } from './hostile.js';
export type { Absent, Reader } from './reader.js';
export { builtInReaders, vendorReaders } from './reader.js';
export { casesIn, packedCases } from './recording.js';
export type { Verdict } from './score.js';
export { STREAM_FRAMES } from './stream-frame.js';
