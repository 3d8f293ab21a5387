/** What the scripted agent of the demo says: what was recorded, its question before the edit, and what follows from a refusal. */
import recording from './demo-recording.json' with { type: 'json' };

const { lines, lineMs, place, asksAt, question, refused, interrupted, file } = recording;

/** One line and when it came, in ms from the beginning. */
export interface DemoLine {
  text: string;
  ms: number;
}

/** The file that it edits, as it was. */
export const DEMO_FILE: { name: string; text: string } = file;
export const AFTER_REFUSAL: readonly string[] = refused;
export const INTERRUPTED: string = interrupted;

/** Before its edit took place, and from there on; as if it worked in `cwd`. */
export function demoLines(cwd: string = place): { before: DemoLine[]; after: DemoLine[] } {
  const all = lines.map((line, index) => ({ text: within(cwd, line), ms: lineMs[index] ?? 0 }));
  return { before: all.slice(0, asksAt), after: all.slice(asksAt) };
}

/** As Claude Code asks where nobody allowed it beforehand. */
export const demoQuestion = (cwd: string): string => within(cwd, question);

/** Whether a line that it was told answers that, and how. */
export function readAnswer(line: string): 'allow' | 'deny' | undefined {
  if (!line.includes('"control_response"') || !line.includes('"demo-question"')) return undefined;
  return line.includes('"behavior":"allow"') ? 'allow' : 'deny';
}

/** As if it were said in this conversation. */
export const inSession = (id: string, line: string): string => line.replaceAll(recorded, id);

const recorded = /"session_id":"([^"]+)"/.exec(lines.join('\n'))?.[1] ?? '';
const within = (cwd: string, line: string): string => line.replaceAll(place, JSON.stringify(cwd).slice(1, -1));
