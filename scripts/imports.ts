// What a source file says that it needs: the lines that import, static and dynamic, of values and of types, read without
// running or parsing anything. For the house rules and for `npm test -- --since`.
import { dirname, join } from 'node:path/posix'

/** Every module that a source names, in order: `./leads.ts`, `@tandem/sip`, `node:fs`. */
export function specifiersIn(source: string): string[] {
  return [...source.matchAll(/(?:\bfrom|\bimport\(|^import|new URL\()\s*'([^'\n]+)'/gm)].map(
    match => match[1] as string,
  )
}

/** The files of ours that `file` imports by a relative path; paths are from the root. */
export function relativeImports(file: string, source: string): string[] {
  return specifiersIn(source)
    .filter(specifier => specifier.startsWith('.'))
    .map(specifier => join(dirname(file), specifier))
}

/** The files of ours that `file` imports, packages of ours by their entry. */
export function importsOf(file: string, source: string): string[] {
  const packages = specifiersIn(source).flatMap(specifier => {
    const [, name] = /^@tandem\/([a-z]+)$/.exec(specifier) ?? []
    if (name === undefined) return []
    return [name === 'sdk' ? 'sdk/src/index.ts' : `packages/${name}/src/index.ts`]
  })
  return [...relativeImports(file, source), ...packages]
}

/** String literals of a source that look like the path or the name of a file: what it reads or runs without importing it. */
export function pathsNamedIn(source: string): string[] {
  return [...source.matchAll(/['"`]([\w@./*-]*[\w-]\.[a-z]{2,4})['"`]/g)].map(match => match[1] as string)
}
