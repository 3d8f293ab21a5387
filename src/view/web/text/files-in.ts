/** The files that an output lists, one path a line. */

const MOST = 2000;
/** Something with a folder or an ending, and no line numbers or content behind it. */
const PATH = /^(?=.*[./\\])[^:*?"<>|\s]{1,400}$/;

/** Undefined when there is anything else in it. */
export function filesIn(output: string): string[] | undefined {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const files = lines.filter((line) => !/^Found \d+ files?/.test(line));
  return files.length > 0 && files.length <= MOST && files.every((line) => PATH.test(line)) ? files : undefined;
}
