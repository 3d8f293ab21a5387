/** What the list of deeds calls each of them, and what it was done to. */
import { expect, test } from 'vitest';
import { deedOf } from '../../src/server/audit.js';

test.each<[method: string, path: string, deed: string, subject?: string]>([
  ['POST', '/api/runs', 'run'],
  ['POST', '/api/attachments', 'attach'],
  ['POST', '/api/runs/r1/approvals/q/approve', 'approve', 'r1'],
  ['POST', '/api/runs/r1/approvals/q/deny', 'deny', 'r1'],
  ['POST', '/api/runs/r1/approvals/q/answer', 'answer', 'r1'],
  ['POST', '/api/runs/r1/interrupt', 'interrupt', 'r1'],
  ['POST', '/api/runs/r1/cancel', 'stop', 'r1'],
  ['POST', '/api/sessions/s1/say', 'say', 's1'],
  ['PATCH', '/api/sessions/s1', 'label', 's1'],
  ['DELETE', '/api/sessions/s1', 'delete', 's1'],
  ['POST', '/api/sessions/s1/go-on', 'go on', 's1'],
  ['DELETE', '/api/sessions/s1/go-on', 'never go on', 's1'],
  ['POST', '/api/sessions/s1/rewind', 'rewind', 's1'],
  ['POST', '/api/sessions/s1/rewind/undo', 'rewind undo', 's1'],
  ['POST', '/api/sessions/s1/comments', 'comment', 's1'],
  ['POST', '/api/sessions/s1/comments/send', 'comments send', 's1'],
  ['PATCH', '/api/sessions/s1/comments/c', 'comment change', 's1'],
  ['DELETE', '/api/sessions/s1/comments/c', 'comment delete', 's1'],
  ['POST', '/api/links', 'login link'],
  ['POST', '/api/guests', 'guest code'],
  ['POST', '/api/guests/g1', 'guest answer', 'g1'],
  ['DELETE', '/api/browsers/b1', 'browser forget', 'b1'],
  ['POST', '/api/tokens', 'token create'],
  ['DELETE', '/api/tokens/t1', 'token revoke', 't1'],
  ['POST', '/api/jobs', 'job post'],
  ['POST', '/api/jobs/j1/cancel', 'job cancel', 'j1'],
])('%s %s', (method, path, deed, subject) => {
  expect(deedOf(method, path)).toEqual({ deed, ...(subject !== undefined && { subject }) });
});
