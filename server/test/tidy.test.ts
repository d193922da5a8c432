// The house rules that a machine can hold: who may import whom, where time, chance and settings may be read, how long a
// file may grow. Each rule names its remedy, so that breaking one teaches it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { relativeImports } from '../../scripts/imports.ts'
import { filesOf, isTest, readText, root, sources, textOf } from './sources.ts'

const product = sources.filter(file => file.startsWith('server/src/') && !isTest(file))

/** The files of ours that a file imports, as paths from the root. */
function importsOf(file: string): string[] {
  return relativeImports(file, textOf.get(file) ?? '')
}

function typeImportsOnly(file: string, target: string): boolean {
  const lines = (textOf.get(file) ?? '').match(/import[^;]*?from\s*'[^']+'/gs) ?? []
  return lines
    .filter(line => target.endsWith((line.match(/'([^']+)'/)?.[1] ?? '').replace(/^[./]+/, '')))
    .every(line => /^import type/.test(line))
}

test('the kernel imports nothing but itself', () => {
  for (const file of product.filter(name => name.startsWith('server/src/kernel/'))) {
    for (const target of importsOf(file)) {
      assert.ok(
        target.startsWith('server/src/kernel/'),
        `${file} imports ${target}: move what it needs into the kernel, or hand it in`,
      )
    }
  }
})

test('rules are pure: types and pure kernel files only', () => {
  for (const file of product.filter(name => name.endsWith('/rules.ts'))) {
    for (const target of importsOf(file)) {
      const sibling = dirname(target) === dirname(file) && /(rules|segments)/.test(target)
      assert.ok(
        target.startsWith('server/src/kernel/values/') ||
          sibling ||
          typeImportsOnly(file, target) ||
          /\/(rules|segments)\.ts$/.test(target),
        `${file} imports ${target}: rules decide, they do not act; pass in what they need to know`,
      )
    }
    assert.ok(!/\bawait\b/.test(textOf.get(file) ?? ''), `${file} awaits something: rules do no I/O`)
  }
})

/** The line of modules: one may use those to its left. */
const line = [
  'audit',
  'destinations',
  'mail',
  'identity',
  'records',
  'crm',
  'finance',
  'messaging',
  'voice',
  'video',
  'contact_center',
  'ai',
  'timeline',
  'conversations',
  'privacy',
]

test('modules use each other by their index only, and never up the line', () => {
  for (const file of product.filter(name => name.startsWith('server/src/modules/'))) {
    const [module = '', leaf = ''] = file.slice('server/src/modules/'.length).split('/')
    for (const target of importsOf(file).filter(name => name.startsWith('server/src/modules/'))) {
      const [otherModule = '', otherLeaf = ''] = target.slice('server/src/modules/'.length).split('/')
      if (otherModule === module && (otherLeaf === leaf || otherLeaf.endsWith('.ts'))) continue
      if (otherModule !== module) {
        const [from, to] = [line.indexOf(module), line.indexOf(otherModule)]
        assert.ok(to !== -1 && (from === -1 || to < from), `${file} imports ${target}: emit an event instead`)
      }
      assert.ok(
        /\/(index|carrier|engine)\.ts$/.test(target) || otherModule === module,
        `${file} imports ${target}: what other modules may use stands in index.ts`,
      )
    }
  }
})

test('no module imports a carrier or an engine; only the catalog knows them all', () => {
  for (const file of product) {
    const targets = importsOf(file)
    const isWithin = /^server\/src\/(carriers|engines)\//.test(file)
    for (const target of targets) {
      if (/^server\/src\/(carriers|engines)\//.test(target)) {
        assert.ok(
          isWithin || file === 'server/src/catalog.ts',
          `${file} imports ${target}: depend on the port, not on what implements it`,
        )
      }
      if (target === 'server/src/catalog.ts') {
        assert.ok(
          ['server/src/app.ts', 'server/src/commands/server_commands.ts'].includes(file),
          `${file} imports the catalog: have it handed in`,
        )
      }
    }
  }
})

/** Where the outer world may be read, and nowhere else. */
const readers: [name: string, pattern: RegExp, allowed: RegExp][] = [
  [
    'the clock',
    /\bDate\.now\(|new Date\(\)/,
    /^server\/src\/kernel\/(values\/(clock|ids)|boot\/(embedded_postgres|data_folder|postgres_programs))\.ts$/,
  ],
  ['chance', /\bMath\.random\(/, /^server\/src\/kernel\/values\/(clock|ids)\.ts$/],
  [
    'settings',
    /\bprocess\.env\b/,
    /^server\/src\/(main|config\/config|kernel\/boot\/(postgres_programs|embedded_postgres))\.ts$/,
  ],
]

test('time, chance and settings are read in one place each', () => {
  for (const file of product) {
    const text = textOf.get(file) ?? ''
    for (const [name, pattern, allowed] of readers) {
      if (allowed.test(file)) continue
      assert.ok(!pattern.test(withoutComments(text)), `${file} reads ${name} itself: take it as an argument`)
    }
  }
})

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '')
}

test('files open with what the room is for', () => {
  for (const [file, text] of textOf)
    assert.ok(/^(#!.*\n)?(\/\/ \S|\/\*\*)/.test(text), `${file} does not open with 2-5 lines on what it is for`)
})

test('files have at most 400 lines', () => {
  const texts = [...textOf, ...filesOf('css', 'mjs').map(file => [file, readText(file)] as const)]
  const lengths = texts.map(([file, text]) => [file, text.split('\n').length - 1] as const)
  const long = lengths.filter(([, lines]) => lines > 400).map(([file, lines]) => `${file}: ${lines}`)
  assert.deepEqual(long, [], 'is there a second story in it?')
})

test('style: no default export, no enum, no class without a life, no unfinished business', () => {
  for (const file of [...product, ...portal, ...sources.filter(name => /^(sdk|packages\/[^/]+)\/src\//.test(name))]) {
    const text = withoutComments(textOf.get(file) ?? '')
    assert.ok(!/^export default/m.test(text), `${file} has a default export`)
    assert.ok(!/^\s*(export )?(const )?enum /m.test(text), `${file} has an enum`)
    assert.deepEqual(
      classesWithoutLife(textOf.get(file) ?? ''),
      [],
      `${file}: say above the class how long its state lives, or make it functions`,
    )
    assert.ok(!/\b(TODO|FIXME|XXX|HACK)\b/.test(textOf.get(file) ?? ''), `${file} has unfinished business`)
  }
})

/** Classes that neither say above them how long they live nor extend one of a library. */
function classesWithoutLife(text: string): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const [, name, parent = 'Error'] = /^\s*(?:export )?(?:abstract )?class (\w+)(?: extends (\w+))?/.exec(line) ?? []
    return name !== undefined && parent === 'Error' && !lines[index - 1]?.endsWith('*/') ? [name] : []
  })
}

test('a class says how long its state lives, unless a library asks for it', () => {
  assert.deepEqual(classesWithoutLife('/** As long as a call. */\nexport class Call {\n}\n'), [])
  assert.deepEqual(classesWithoutLife('// head\nclass Mark extends GutterMarker {}\n'), [])
  const unsaid = '// head\nclass A {}\n\nexport class B implements C {}\nclass D extends Error {}\n{\n  class E {}\n}\n'
  assert.deepEqual(classesWithoutLife(unsaid), ['A', 'B', 'D', 'E'])
})

const portal = sources.filter(file => file.startsWith('portal/src/') && !isTest(file))

/** The packages a file imports, by name. */
function packagesOf(file: string): string[] {
  const found = (textOf.get(file) ?? '').matchAll(/^(?:import |\} from |(?:import|export) .* from )'([^.'][^']*)'/gm)
  return [...found].map(match => (match[1] as string).split('/', match[1]?.startsWith('@') ? 2 : 1).join('/'))
}

test('the portal reaches the server by the SDK only; the SDK and the catalog stand alone', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'portal/package.json'), 'utf8'))
  for (const file of portal) {
    for (const target of importsOf(file)) {
      assert.ok(
        target.startsWith('portal/src/'),
        `${file} imports ${target}: take it from @tandem/sdk or @tandem/catalog`,
      )
    }
    for (const name of packagesOf(file)) {
      assert.ok(
        name === 'virtual:catalog' || name === 'virtual:catalog-names' || name in dependencies,
        `${file} imports ${name}, which the portal does not declare`,
      )
    }
  }
  const isSource = (file: string) => /^(sdk|packages\/[^/]+)\/src\//.test(file) && !isTest(file)
  for (const file of sources.filter(isSource)) {
    const home = file.slice(0, file.indexOf('/src/') + 5)
    for (const target of importsOf(file)) assert.ok(target.startsWith(home), `${file} imports ${target}`)
    const allowed = { 'packages/catalog/src/': ['minisearch'], 'packages/cli/src/': ['@tandem/sdk'] }[home] ?? []
    // What speaks on sockets, and what is run by Node, is for Node only, and needs nothing but Node.
    const isForNode = /^packages\/(smpp|sip|cli)\/src\/$/.test(home)
    assert.deepEqual(
      packagesOf(file).filter(name => !allowed.includes(name) && !(isForNode && name.startsWith('node:'))),
      [],
      file,
    )
  }
})

test('the portal shows text as text, and keeps no secret where it would outlive the page', () => {
  for (const file of portal) {
    const text = withoutComments(textOf.get(file) ?? '')
    const forbidden =
      /\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|eval\(|new Function)/
    assert.doesNotMatch(text, forbidden, `${file} makes markup or code of text`)
    // Drafts of texts stay in their tab, for the portal loads itself again; passwords and secrets are never given to them.
    if (file !== 'portal/src/session/draft_store.ts')
      assert.doesNotMatch(text, /\bsessionStorage\b|document\.cookie/, `${file} keeps something in a place for secrets`)
    assert.doesNotMatch(text, /\bsetInterval\([^)]*(fetch|refetch)/, `${file} polls: hear of changes by the stream`)
    // Counters are no events: how fast a carrier is, how far an import, and how the server does, can only be read.
    if (!/^portal\/src\/(carriers|imports|status)\/|operator\/(operator_status|sending_card)\.tsx$/.test(file))
      assert.doesNotMatch(text, /refetchInterval/, `${file} polls: hear of changes by the stream`)
  }
})

test('migrations are numbered without gap', () => {
  const files = globSync('server/migrations/*.sql', { cwd: root })
    .map(file => file.split('/').at(-1) as string)
    .sort()
  for (const [index, file] of files.entries()) {
    assert.match(file, new RegExp(`^${String(index + 1).padStart(4, '0')}_[a-z0-9_]+\\.sql$`))
  }
})
