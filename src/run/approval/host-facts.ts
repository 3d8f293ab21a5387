/** Adds to a question what only the host of the agent can tell: where it would happen, what lies outside, how files would change. */
import { differencesOf, withholdsWords } from '../../consent/index.js';
import type { DraftOf, ToolKind } from '../../event/index.js';
import { isWithin, readFileNow } from './file-now.js';
import { locate, type Place, resolvePath } from './pattern.js';
import { realPath } from './real-path.js';

type Request = DraftOf<'approval-request'>;

export interface HostFacts {
  place: Place;
  /** Directories besides the working directory that the agent was given. */
  addDirs: readonly string[];
  /** What may be shown of a whole file. */
  redact(text: string): string;
  /** Whether somebody will read it: files are not read for a rule. */
  isAsked: boolean;
  /** Other sessions that work in the same folder now. */
  alsoHere?: readonly string[] | undefined;
}

export function addHostFacts(request: Request, { place, addDirs, redact, isAsked, alsoHere = [] }: HostFacts): Request {
  if (request.kind !== 'tool') return request;
  const directory = request.directory ?? place.cwd;
  const from = { ...place, cwd: resolvePath(directory, place) };
  const directories = [place.cwd, ...addDirs].map((dir) => realPath(resolvePath(dir, place)));
  const named = namedIn(request).map((file) => ({ file, at: locate(file, from) }));
  const outside = named.filter(({ at }) => !isWithin(at, directories)).map(({ file }) => file);
  const linked = named.filter(({ at }) => at.hasOtherNames).map(({ file }) => file);
  const readFile = (file: string) => readFileNow(() => locate(file, from), directories);
  const compared = isAsked && request.edits?.length ? differencesOf(request, { readFile, redact }) : undefined;
  return {
    ...request,
    directory,
    ...(outside.length > 0 && { outside }),
    ...(linked.length > 0 && { linked }),
    ...(alsoHere.length > 0 && !ONLY_LOOKS.has(request.toolKind ?? 'other') && { alsoHere: [...alsoHere] }),
    ...(isAsked && withholdsWords(request, compared, redact) && { hidesWords: true as const }),
    ...(compared && { differences: compared.differences }),
  };
}

/** Who only looks disturbs nobody. */
const ONLY_LOOKS: ReadonlySet<ToolKind> = new Set(['read', 'search', 'think', 'fetch']);

function namedIn({ paths = [], edits = [], directory }: Request): string[] {
  const named = [...paths, ...edits.flatMap(({ path, to }) => [path, to]), directory];
  return [...new Set(named)].filter((file) => file !== undefined);
}
