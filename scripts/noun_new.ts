// `npm run noun -- --new <one> <many>`: the files of a new record type, with the three lines by which the product knows it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withArticle } from '@tandem/catalog/plural'
import { nounsNamedIn } from '../server/test/named_nouns.ts'
import { retiredIn } from '../server/test/retired_words.ts'

export type Wanted = { one: string; many: string; prefix: string; about: string; module: string }

/** What the names of a new noun must not be, with what has it. */
export type Known = {
  /** Names of nouns, tables, permissions, addresses. */
  names: ReadonlyMap<string, string>
  prefixes: readonly string[]
  modules: readonly string[]
}

const reserved =
  /^(await|break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|with|yield)$/

const aboutNames =
  'Names are lower-case words of letters and digits with _ between them, such as service_contract service_contracts.'

/** Why there can be no such noun, one sentence each; none where there can. */
export function faultsOf({ one, many, prefix, about, module }: Wanted, { names, prefixes, modules }: Known): string[] {
  const faults: string[] = []
  for (const name of [one, many]) {
    if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) faults.push(`"${name}" is no name of a noun. ${aboutNames}`)
    else if (name.length > 40)
      faults.push(`${name} is longer than 40 letters, and PostgreSQL cuts the names of indexes at 63.`)
    else if (reserved.test(name)) faults.push(`${name} is a word of TypeScript. Choose another.`)
    for (const fault of retiredIn(name.replaceAll('_', ' ')))
      faults.push(`${name} is a retired word: ${fault.replace(/^line 1: /, '')} (docs/glossary.md).`)
    const owner = names.get(name)
    if (owner !== undefined) faults.push(`${name} is taken: ${owner}. Choose another name.`)
  }
  if (one === many)
    faults.push(`The plural of ${one} must be another word: lists, addresses and permissions are called by it.`)
  if (!/^[a-z]{2,6}$/.test(prefix))
    faults.push(`"${prefix}" is no prefix of ids: two to six lower-case letters, by --prefix.`)
  else if (prefixes.includes(prefix))
    faults.push(`Ids begin with ${prefix}_ already. Choose another prefix, by --prefix.`)
  if (/['\\\n]/.test(about)) faults.push('--about must be one line without quotation marks.')
  if (!modules.includes(module)) faults.push(`There is no module ${module}; --module is one of ${modules.join(', ')}.`)
  return faults
}

/** A prefix that no ids have: the first letters, or the first two with a later one. */
export function freePrefix(one: string, taken: readonly string[]): string {
  const letters = one.replace(/[^a-z]/g, '')
  const tries = [
    letters.slice(0, 3),
    ...[...letters.slice(3)].map(letter => letters.slice(0, 2) + letter),
    letters.slice(0, 6),
  ]
  return tries.find(prefix => prefix.length > 1 && !taken.includes(prefix)) ?? letters.slice(0, 3)
}

const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const words = (name: string) => name.replaceAll('_', ' ')

/** Texts by path, of everything but the migration: that is made of the declaration. */
export function filesOf(wanted: Wanted): Record<string, string> {
  return { [declarationOf(wanted)]: declaration(wanted), ...screenFiles(wanted) }
}

/** Where a new noun is declared. */
export const declarationOf = ({ module, many }: Pick<Wanted, 'module' | 'many'>) =>
  `server/src/modules/${module}/${many}/noun.ts`

function declaration({ one, many, prefix, about }: Wanted): string {
  const value = camel(many)
  return `// ${upper(words(many))}: ${about}
import { f } from '../../../kernel/noun/fields.ts'
import { noun } from '../../../kernel/noun/noun.ts'

export const ${value} = noun({
  names: ['${one}', '${many}'],
  prefix: '${prefix}',
  category: 'CRM',
  about: '${about}',
  fields: {
    name: f.text({ max: 200, required: true, find: true, about: 'What it is called.' }),
    owner_id: f.user({ about: 'Who looks after it; null while nobody does.' }),
    notes: f.longText({ max: 10_000, about: 'Free text.' }),
  },
  title: 'name',
  facets: [],
  order: { first: '-created_at', indexed: ['name'] },
  rows: { owner: 'owner_id', unassigned: 'seen', own: ['Sales Executive'] },
  roles: {
    read: ['Sales Manager', 'Sales Executive', 'Finance Manager'],
    create: ['Sales Manager', 'Sales Executive'],
    update: ['Sales Manager', 'Sales Executive'],
    delete: ['Sales Manager'],
  },
  sample: { name: 'Example' },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    ${one}: typeof ${value}
  }
}
`
}

function screenFiles({ one, many }: Wanted): Record<string, string> {
  const [value, type, page] = [camel(many), upper(camel(many)), upper(camel(one))]
  const title = upper(words(many))
  return {
    [`portal/src/${many}/screen.ts`]: `// What the portal knows of ${title} without loading it.
import { recordsScreen } from '../navigation/screen.ts'

export const ${value} = recordsScreen({
  names: ['${one}', '${many}'],
  list: () => import('./${many}_screen.tsx').then(module => module.${type}Screen),
  page: () => import('./${one}_page.tsx').then(module => module.${page}Page),
})
`,
    [`portal/src/${many}/${many}_screen.tsx`]: `// ${title}: their list.
import { ${value} } from '../nouns/described/${many}.generated.ts'
import { NounList } from '../nouns/list.tsx'

export function ${type}Screen() {
  return <NounList noun={${value}} />
}
`,
    [`portal/src/${many}/${one}_page.tsx`]: `// One ${words(one)}.
import { useParams } from '@tanstack/react-router'
import { RecordTimeline } from '../nouns/attached/timeline.tsx'
import { ${value} } from '../nouns/described/${many}.generated.ts'
import { titleOf } from '../nouns/noun.ts'
import { NounPage } from '../nouns/record_page.tsx'

export function ${page}Page() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <NounPage noun={${value}} id={id}>
      {record => (
        <RecordTimeline
          noun={${value}}
          id={String(record['id'])}
          name={titleOf(${value}, record)}
          phones={[]}
        />
      )}
    </NounPage>
  )
}
`,
  }
}

/** The lines that are added to files there are: the list of nouns, that of screens, and what screens are called and found by. */
export function addLines(root: string, { one, many, module, about }: Wanted): string[] {
  const value = camel(many)
  edit(root, 'server/src/record_nouns.ts', text => {
    const [line, ...others] = [
      `export { ${value === one ? value : `${value} as ${one}`} } from './modules/${module}/${many}/noun.ts'`,
      ...text.split('\n').filter(other => other.startsWith('export ')),
    ]
    const heading = text.split('\n').filter(other => other.startsWith('//'))
    // As the linter sorts them.
    const sorted = [line!, ...others].sort((a, b) => (fromOf(a) < fromOf(b) ? -1 : 1))
    return `${[...heading, ...sorted].join('\n')}\n`
  })
  edit(root, 'portal/src/app/screens.ts', text => {
    const imports = text.split('\n').filter(line => line.startsWith('import {'))
    const line = `import { ${value} } from '../${many}/screen.ts'`
    const after = imports.findLast(other => fromOf(other) < fromOf(line))
    const withImport =
      after === undefined
        ? text.replace(imports[0]!, `${line}\n${imports[0]}`)
        : text.replace(after, `${after}\n${line}`)
    return withImport.replace('  invoices,\n', `  ${value},\n  invoices,\n`)
  })
  const names = { [`name.${many}`]: upper(words(many)) }
  const found = {
    [`hint.${many}`]: about.replace(/\.$/, ''),
    [`action.create_${one}`]: `Create ${withArticle(words(one))}`,
  }
  const allowed = {
    [`right.${many}:read`]: `List and read ${words(many)}.`,
    [`right.${many}:create`]: `Create ${words(many)}.`,
    [`right.${many}:update`]: `Change ${words(many)}.`,
    [`right.${many}:delete`]: `Delete, restore and merge ${words(many)}.`,
  }
  return [
    'server/src/record_nouns.ts',
    'portal/src/app/screens.ts',
    ...addTexts(root, 'portal/src/navigation/messages', names),
    ...addTexts(root, 'portal/src/navigation/finding/messages', found),
    // The English ones are made of the noun.
    ...addTexts(root, 'portal/src/rights/messages', allowed, ['de']),
  ]
}

/** In English in all languages: the test of texts says which are to be translated. */
function addTexts(
  root: string,
  folder: string,
  texts: Readonly<Record<string, string>>,
  languages = ['en', 'de'],
): string[] {
  const lines = Object.entries(texts).map(([key, text]) => `  '${key}': '${text}',\n`)
  const files = languages.map(language => `${folder}/${language}.ts`)
  for (const file of files)
    edit(root, file, text => text.replace(/\n\}[^}]*$/, end => `\n${lines.join('')}${end.slice(1)}`))
  return files
}

const fromOf = (line: string) => /from '(.*)'/.exec(line)?.[1] ?? ''

function edit(root: string, path: string, change: (text: string) => string): void {
  const before = readFileSync(join(root, path), 'utf8')
  const after = change(before)
  if (after === before) throw new Error(`${path} is not as this program expects it: add the noun to its list by hand`)
  writeFileSync(join(root, path), after)
}

/** Writes files that are not there yet. @throws Error for one that is */
export function writeNew(root: string, files: Readonly<Record<string, string>>): string[] {
  const there = Object.keys(files).filter(path => existsSync(join(root, path)))
  if (there.length > 0) throw new Error(`${there.join(', ')} is there already. Remove it, or choose another name.`)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return Object.keys(files)
}

/** The path of the next migration. */
export function nextMigration(root: string, name: string): string {
  const last = readdirSync(join(root, 'server/migrations')).filter(file => file.endsWith('.sql')).length
  return `server/migrations/${String(last + 1).padStart(4, '0')}_${name}.sql`
}

/** Where the kernel has the word for something of its own: then a test has to know that both are meant. */
export function kernelFilesNaming(root: string, one: string): string[] {
  const folder = 'server/src/kernel'
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => join(folder, file))
    .filter(file => nounsNamedIn(readFileSync(join(root, file), 'utf8'), [one]).length > 0)
}
