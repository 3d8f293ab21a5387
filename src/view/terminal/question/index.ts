/** A question that is answered by one key: its state, what keys do to it, and how it is drawn. */
export {
  type Moment,
  type Pressed,
  pressQuestion,
  type QuestionEffect,
  sawQuestion,
  tellQuestion,
} from './press-question.js';
export {
  beginQuestion,
  type Question,
  type QuestionManner,
  type QuestionState,
  questionChangesAt,
  questionOf,
  type Readiness,
} from './question.js';
export type { QuestionSize } from './question-layout.js';
export { questionRows } from './question-rows.js';
