// The source files of ours as the house rules see them: every file of TypeScript but what is generated, with its text.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
const folders = ['server', 'packages', 'sdk', 'portal', 'scripts', 'bench']

/** Files of these endings, as paths from the root; generated ones and what is installed or built left out. */
export function filesOf(...endings: string[]): string[] {
  return globSync(
    folders.flatMap(folder => endings.map(ending => `${folder}/**/*.${ending}`)),
    { cwd: root, exclude: name => /(^|\/)(node_modules|dist)(\/|$)/.test(name) },
  ).filter(file => !file.endsWith('.generated.ts') && !file.endsWith('.d.ts'))
}

export const sources = filesOf('ts', 'tsx')
export const textOf: ReadonlyMap<string, string> = new Map(sources.map(file => [file, readText(file)]))

export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

export const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file) || file.includes('/test/')
