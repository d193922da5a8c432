// How the modules of the portal are put into files, on graphs small enough to be calculated by hand.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ModuleInfo, planPacks } from './packs.ts'

type Described = { imports?: string[]; loads?: string[]; size?: number }

/** A page whose first module, `main`, loads the screens; those of `screen.ts` files, as the router does. */
function graphOf(modules: Record<string, Described>): Map<string, ModuleInfo> {
  const ids = Object.keys(modules)
  const importing = (kind: 'imports' | 'loads', id: string) => ids.filter(each => modules[each]![kind]?.includes(id))
  return new Map(
    Object.entries(modules).map(([id, { imports = [], loads = [], size = 100 }]) => [
      id,
      {
        isEntry: id === 'page',
        code: '.'.repeat(size),
        importers: importing('imports', id),
        dynamicImporters: importing('loads', id),
        importedIds: imports,
        dynamicallyImportedIds: loads,
      },
    ]),
  )
}

const portal = (modules: Record<string, Described>, screens: string[]) =>
  graphOf({
    page: { imports: ['main'] },
    main: { imports: ['screen.ts'] },
    'screen.ts': { loads: screens },
    ...modules,
  })

/** The modules of each file, in order. */
const filesOf = (planned: ReadonlyMap<string, string>) =>
  [...Map.groupBy(planned.keys(), id => planned.get(id))].map(([, ids]) => ids.sort()).sort()

test('what comes with every page is one file, and what one screen needs stays in its own', () => {
  const planned = planPacks(
    portal({ a: { imports: ['frame', 'own'] }, own: {}, frame: {}, main: { imports: ['frame', 'screen.ts'] } }, ['a']),
  )
  assert.deepEqual(
    [...planned],
    [
      ['frame', 'first'],
      ['screen.ts', 'first'],
    ],
  )
})

test('small modules that mostly the same screens need come in one file', () => {
  const modules = {
    a: { imports: ['list', 'row', 'icon'] },
    b: { imports: ['list', 'row', 'icon'] },
    c: { imports: ['list', 'row'] },
    d: { imports: ['list', 'icon'] },
    list: { size: 900 },
    row: {},
    icon: {},
  }
  const planned = planPacks(portal(modules, ['a', 'b', 'c', 'd']))
  assert.deepEqual(filesOf(planned), [['icon', 'list', 'row'], ['screen.ts']])
  assert.equal(planned.get('icon'), 'list', 'it is called by the largest')
})

test('what is large is not fetched by those who have no use for it', () => {
  const modules = {
    a: { imports: ['list', 'editor'] },
    b: { imports: ['list', 'editor'] },
    c: { imports: ['list'] },
    list: {},
    editor: { size: 200_000 },
  }
  assert.deepEqual(filesOf(planPacks(portal(modules, ['a', 'b', 'c']))), [['editor'], ['list'], ['screen.ts']])
})

test('two that have something between them stay apart: as one they would wait for it, and it for them', () => {
  const modules = {
    // `between` is too large for c, which needs what is on both sides of it only by itself.
    a: { imports: ['upper'] },
    b: { imports: ['upper'] },
    c: { imports: ['lower'] },
    upper: { imports: ['between'] },
    between: { imports: ['lower'], size: 200_000 },
    lower: {},
  }
  const files = filesOf(planPacks(portal(modules, ['a', 'b', 'c'])))
  assert.ok(
    !files.some(ids => ids.includes('upper') && ids.includes('lower') && !ids.includes('between')),
    String(files),
  )
})

test('two modules of the same name are files of two names', () => {
  const modules = {
    a: { imports: ['x/texts.ts', 'y/texts.ts'] },
    b: { imports: ['x/texts.ts'] },
    c: { imports: ['x/texts.ts'] },
    d: { imports: ['y/texts.ts'] },
    e: { imports: ['y/texts.ts'] },
    'x/texts.ts': { size: 90_000 },
    'y/texts.ts': { size: 90_000 },
  }
  const planned = planPacks(portal(modules, ['a', 'b', 'c', 'd', 'e']))
  assert.deepEqual([planned.get('x/texts.ts'), planned.get('y/texts.ts')].sort(), ['texts', 'texts_2'])
})
