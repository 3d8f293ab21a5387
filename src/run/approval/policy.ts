/** Who answers an approval request: a rule, the run's permission, a person, or nobody, which means no. */
import type { Agent, Permission } from '../../agent/index.js';
import { isWithin } from './file-now.js';
import { type Place, resolvePath } from './pattern.js';
import { realPath } from './real-path.js';
import { type Asked, callsOf, findRule, type Rule } from './rule.js';

export interface Policy {
  permission: Permission;
  rules: readonly Rule[];
  place: Place;
  /** Directories besides the working directory in which edits count as the agent's own. */
  addDirs: readonly string[];
}

/** `ask` leaves it to a person. */
export type Verdict =
  | { decision: 'ask' }
  | { decision: 'allow'; rule: string }
  | { decision: 'deny'; rule: string; message: string };

/** Told to the agent when nobody can be asked. */
export const NOBODY = 'Denied: nobody is there to be asked. Allow it by a rule, or answer approvals.';

export function judge(policy: Policy, request: Asked): Verdict {
  // Questions, plans and the like are not about what a tool may do.
  if (request.kind !== 'tool') return policy.permission === 'deny' ? denied('permission deny') : { decision: 'ask' };
  const found = findRule(policy.rules, request, policy.place);
  if (found?.decision === 'deny') return denied(found.rule);
  if (found?.decision === 'allow') return { decision: 'allow', rule: found.rule };
  if (found?.decision === 'ask') return { decision: 'ask' };
  if (policy.permission === 'deny') return denied('permission deny');
  if (policy.permission === 'bypass') return { decision: 'allow', rule: 'permission bypass' };
  if (policy.permission === 'accept-edits' && isOwnEdit(policy, request)) {
    return { decision: 'allow', rule: 'permission accept-edits' };
  }
  return { decision: 'ask' };
}

/** What a person should know before the run: powers that no rule and nobody can check. */
export function policyWarnings(
  { permission, rules }: Policy,
  { title, capabilities }: Pick<Agent, 'title' | 'capabilities'>,
  hasAllowedTools: boolean,
): { code: string; message: string }[] {
  const bypass = permission === 'bypass';
  const wouldAsk = permission === 'ask' || permission === 'accept-edits' || rules.length > 0;
  const forbids = rules.some(({ decision }) => decision !== 'allow');
  return [
    ...(bypass ? [{ code: 'permission-bypass', message: 'The agent may do anything without being asked.' }] : []),
    ...(wouldAsk && !bypass && !capabilities.approvals
      ? [
          {
            code: 'cannot-ask',
            message: `${title} cannot ask: what needs an approval it refuses by itself, and no rule has a say. Allow it beforehand, with ${capabilities.allowedTools ? 'allowedTools or ' : ''}another permission.`,
          },
        ]
      : []),
    ...(forbids && (bypass || hasAllowedTools)
      ? [{ code: 'rules-unreachable', message: 'Tools allowed beforehand are not asked about; no rule can stop them.' }]
      : []),
  ];
}

function denied(rule: string): Verdict {
  return { decision: 'deny', rule, message: `Denied by the rule: ${rule}` };
}

/** Edits that name their files, all inside the directories the agent works in, where links really lead and under every name. */
function isOwnEdit({ place, addDirs }: Policy, request: Asked): boolean {
  const roots = [place.cwd, ...addDirs].map((dir) => realPath(resolvePath(dir, place)));
  return callsOf(request, place).every(({ kind, paths }) => {
    const isKnown = kind === 'edit' && paths.length > 0;
    return isKnown && paths.every((file) => isWithin(file, roots) && !file.hasOtherNames);
  });
}
