/** What the package exports, as the compiler sees it: read off the doors that are built. */
import path from 'node:path';
import ts from 'typescript';
import { entries } from '../../scripts/build.mjs';

export interface Door {
  /** `glassbox`, `glassbox/run`. */
  name: string;
  exports: Exported[];
}

export interface Exported {
  name: string;
  /** The thing itself, behind every re-export. */
  symbol: ts.Symbol;
  isValue: boolean;
  /** What an editor shows; empty when nothing is. */
  help: string;
  /** `src/run/run.ts`. */
  file: string;
}

interface Face {
  doors: Door[];
  checker: ts.TypeChecker;
}

let face: Face | undefined;

/** Read once: the compiler takes its time, and several tests look at it. */
export function publicFace(): Face {
  face ??= readFace();
  return face;
}

function readFace(): Face {
  const files = Object.entries(entries).filter(([name]) => name !== 'cli');
  const config = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, '.');
  const paths = files.map(([, file]) => path.resolve(file));
  const program = ts.createProgram(paths, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const doors = files.map(([name, file]) => {
    const source = program.getSourceFile(path.resolve(file));
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} exports nothing.`);
    const all = checker.getExportsOfModule(module);
    return { name: name === 'index' ? 'glassbox' : `glassbox/${name}`, exports: all.map(exportedOf) };
  });
  return { doors, checker };

  function exportedOf(exported: ts.Symbol): Exported {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const file = symbol.declarations?.[0]?.getSourceFile().fileName ?? '';
    return {
      name: exported.name,
      symbol,
      isValue: (symbol.flags & ts.SymbolFlags.Value) !== 0,
      help: ts.displayPartsToString(symbol.getDocumentationComment(checker)),
      file: path.relative(process.cwd(), file).split(path.sep).join('/'),
    };
  }
}
