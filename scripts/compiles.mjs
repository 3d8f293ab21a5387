// @ts-check
/** Whether a file still has sound types after a change: what the compiler refuses never gets as far as a test. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { root } from './process.mjs';

/**
 * @typedef {ReadonlyMap<string, string>} Changes files below the repository, each with another text than on the disk
 * @returns {(changes: Changes) => Set<string>} which of them are sound; asked together because most of the work is the same for all
 */
export function createCompiler() {
  const folder = fileURLToPath(root);
  const { config } = ts.readConfigFile(`${folder}tsconfig.json`, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent({ ...config, include: ['src'] }, ts.sys, folder);
  /** @type {Changes} */
  let changed = new Map();
  let version = 0;
  const service = ts.createLanguageService(
    {
      getScriptFileNames: () => fileNames,
      getScriptVersion: (path) => (changed.has(path) ? `changed ${version}` : '0'),
      getScriptSnapshot: (path) => {
        const text = changed.get(path) ?? ts.sys.readFile(path);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      getCurrentDirectory: () => folder,
      getCompilationSettings: () => options,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: ts.sys.fileExists,
      readFile: ts.sys.readFile,
      readDirectory: ts.sys.readDirectory,
      directoryExists: ts.sys.directoryExists,
      getDirectories: ts.sys.getDirectories,
    },
    ts.createDocumentRegistry(),
  );
  const isSound = (/** @type {string} */ file) =>
    service.getSyntacticDiagnostics(folder + file).length === 0 &&
    service.getSemanticDiagnostics(folder + file).length === 0;
  const checked = new Set();

  return (changes) => {
    version += 1;
    changed = new Map([...changes].map(([file, text]) => [folder + file, text]));
    const sound = new Set([...changes.keys()].filter(isSound));
    // A file that this version of the compiler complains about anyway tells nothing.
    changed = new Map();
    for (const file of changes.keys()) {
      if (sound.has(file) || checked.has(file)) continue;
      if (!isSound(file)) throw new Error(`${file} does not compile as it is`);
      checked.add(file);
    }
    return sound;
  };
}
