// node examples/budget-and-resume.mjs "Write a plan" "Now do the first step"
// Each run has its own limits; the second one continues the session of the first.
import { runToEnd } from 'glassbox';

const [first = 'Write a plan for this project.', second = 'Do the first step.'] = process.argv.slice(2);
const limits = {
  agent: 'claude',
  program: process.env.EXAMPLE_PROGRAM,
  permission: 'deny',
  budgetUsd: 1,
  maxTurns: 20,
};

const begun = await runToEnd({ ...limits, prompt: first });
console.log(`1. ${begun.reason}: ${begun.text}`);

if (begun.sessionId) {
  // The balance says where the agent's counters stood, so that the second run is charged with its own share alone.
  const { sessionId: resume, balance } = begun;
  const gone = await runToEnd({ ...limits, prompt: second, resume, ...(balance && { balance }) });
  console.log(`2. ${gone.reason}: ${gone.text}`);
}
