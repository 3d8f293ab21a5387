export type { BlobLike, ByteReader, ByteSource, Signal, WebStream } from './byte-source.js';
export { openSource } from './byte-source.js';
export type { ItemReader, NextItem, ReadOptions } from './item-reader.js';
export { createItemReader } from './item-reader.js';
export type { ErrorItem, Item, LineDecoder, LineOptions, LineReader, ValueItem } from './line-decoder.js';
export { createLineDecoder, createLineReader } from './line-decoder.js';
export { createLineSplitter, type LineSplitter } from './line-splitter.js';
export { createTextEncoder } from './utf8.js';
