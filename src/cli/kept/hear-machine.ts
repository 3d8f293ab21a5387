/** Hears what hooks of this machine's sessions tell, and brings their questions to whoever looks; for commands that show them. */
import { homedir } from 'node:os';
import { AGENTS } from '../../agent/index.js';
import type { Watching } from '../../archive/index.js';
import { defined, GlassboxError } from '../../event/index.js';
import { hearHooks } from '../../hook/hear-hooks.js';
import { hookEvidence } from '../../hook/hook-evidence.js';
import type { HookListener } from '../../hook/listener.js';
import { socketPath } from '../../hook/place.js';
import type { Observer } from '../../observer/index.js';
import { createRegistryFiles } from '../../observer/registry-files.js';
import { stateDirectory } from '../../run/index.js';
import type { Store } from '../../store/index.js';
import { hookRules } from './hook-rules.js';

export interface HearMachineOptions {
  store: Store;
  /** What follows the sessions in which questions are asked. */
  watching: Pick<Watching, 'emit' | 'nudge'>;
  /** Hears what the news say of their sessions. */
  observer?: Pick<Observer, 'addEvidence'> | undefined;
  /** Whether somebody looks who may answer. */
  isAttended(): boolean;
  /** Hears why nobody can be heard. */
  onTrouble(text: string): void;
}

export async function hearMachine(
  { store, watching, observer, isAttended, onTrouble }: HearMachineOptions,
  { env, platform }: Pick<NodeJS.Process, 'env' | 'platform'>,
): Promise<HookListener | undefined> {
  const home = homedir();
  if (platform === 'win32') return undefined;
  const agents = AGENTS.filter(({ hooks }) => hooks);
  const registry = createRegistryFiles(agents, { env, home });
  try {
    return await hearHooks({
      agents,
      store,
      home,
      socket: socketPath({ env, home, stateFolder: stateDirectory(env, home, platform) }),
      emit: watching.emit,
      nudge: watching.nudge,
      isAttended,
      onNews(agent, call) {
        const evidence = hookEvidence(call, Date.now());
        const { sessionId, cwd } = call;
        if (evidence) observer?.addEvidence(defined({ agent: agent.name, sessionId, cwd, evidence }));
      },
      async look(agent, sessionId) {
        const entries = await registry.read();
        const entry = entries.find((one) => one.agent.name === agent && one.sessionId === sessionId && one.says);
        return entry && { waits: entry.says === 'waiting', ...(entry.process && { pid: entry.process.pid }) };
      },
      rulesFor: (cwd) => hookRules({ cwd, env, platform, home }),
    });
  } catch (error) {
    if (!(error instanceof GlassboxError)) throw error;
    onTrouble(error.message);
    return undefined;
  }
}
