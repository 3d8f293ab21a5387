import type { EventType, Loose, Payload } from '../../event/index.js';

/** An event's own facts, without its type. What the lines do not tell may be `undefined`: the writer leaves it out. */
export type Body<Type extends EventType> = Loose<Omit<Extract<Payload, { type: Type }>, 'type'>>;
