// node examples/own-view.mjs "Fix the failing test"
// One pure reducer gives every view the same state: what it does now, what it cost, what it said.
import { run } from 'glassbox';
import {
  activityText,
  initialState,
  reduce,
  selectConversation,
  selectCost,
  selectCurrentActivity,
} from 'glassbox/session';

const agent = run({
  agent: 'claude',
  prompt: process.argv[2] ?? 'Hello',
  permission: 'deny',
  program: process.env.EXAMPLE_PROGRAM,
});

let state = initialState;
let shown = '';
for await (const event of agent.events) {
  state = reduce(state, event);
  const activity = activityText(selectCurrentActivity(state));
  if (activity !== shown) console.error(activity);
  shown = activity;
}

for (const row of selectConversation(state)) {
  if (row.kind === 'text') console.log(row.content.text);
  if (row.kind === 'tool') console.log(`[${row.content.status}] ${row.content.name} ${row.content.summary}`);
}
console.log(selectCost(state).session?.usd ?? 'cost unknown');
