// Which modules come in one file. Left alone, the bundler makes a file of every set of modules that the same screens need: a list of records
// then fetches fifty, most of them below 1 KiB, and each takes longer than its bytes. Here two files become one while what is saved in
// requests outweighs what some screens fetch without need.
import { basename } from 'node:path'

export type ModuleInfo = {
  isEntry: boolean
  code: string | null
  importers: readonly string[]
  dynamicImporters: readonly string[]
  importedIds: readonly string[]
  dynamicallyImportedIds: readonly string[]
}
type Graph = ReadonlyMap<string, ModuleInfo>
type Context = { getModuleInfo(id: string): ModuleInfo | null }

/** What a request costs: as much as so many characters of source that are fetched, compiled and run. */
const requestCost = 7_000
/** How much what is opened within a screen (a dialog, a menu) counts beside a screen. */
const openedWeight = 0.2

const first = 'first'

/**
 * The file of a module by name, or null for those that the bundler places: what only one screen needs is in the screen's own.
 * What every page fetches, the frame and the small rooms below it, is called `first`.
 */
function packOf(): (id: string, context: Context) => string | null {
  let planned: ReadonlyMap<string, string> | undefined
  return (id, context) => {
    planned ??= planPacks(graphAround(id, context))
    return planned.get(id) ?? null
  }
}

/** The groups of the bundler's setting: `first` before all others, or they would take its modules for their own. */
export function packGroups() {
  const find = packOf()
  const named = (isFirst: boolean) => (id: string, context: Context) => {
    const name = find(id, context)
    return (name === first) === isFirst ? name : null
  }
  return [
    { name: named(true), priority: 2 },
    // Each module is planned by itself: taking along what it imports would put half the portal into the pack that comes first.
    { name: named(false), priority: 1, includeDependenciesRecursively: false },
  ]
}

/** All modules of the build, reached from one of them. */
function graphAround(id: string, context: Context): Graph {
  const graph = new Map<string, ModuleInfo>()
  const reached = new Set([id])
  for (const each of reached) {
    const info = context.getModuleInfo(each)
    if (info === null) continue
    graph.set(each, info)
    const { importers, dynamicImporters, importedIds, dynamicallyImportedIds } = info
    for (const next of [...importers, ...dynamicImporters, ...importedIds, ...dynamicallyImportedIds]) reached.add(next)
  }
  return graph
}

/** A module and what it imports, in turn. */
function closureOf(graph: Graph, id: string): Set<string> {
  const reached = new Set([id])
  for (const each of reached)
    for (const next of graph.get(each)?.importedIds ?? []) if (graph.has(next)) reached.add(next)
  return reached
}

type Pack = {
  modules: readonly string[]
  size: number
  /** What fetches it, by place in the list of what is loaded on demand: a set of this pack's own, replaced where others come to it. */
  users: ReadonlySet<number>
  /** The packs that it imports, directly. */
  imports: Set<Pack>
  /** False for the file of something loaded on demand: nothing is added to it. */
  isOpen: boolean
}

/** The name of the pack of each module that is to be in one. */
export function planPacks(graph: Graph): Map<string, string> {
  const entry = [...graph.keys()].find(id => graph.get(id)!.isEntry)
  if (entry === undefined) throw new Error('No module of the build is its entry.')
  const withPage = closureOf(graph, entry)
  // The page and the module that it names stay a file of their own: the manifest calls it the entry.
  const own = new Set([entry, ...graph.get(entry)!.importedIds])
  const names = new Map<string, string>()
  for (const id of withPage) if (!own.has(id)) names.set(id, first)
  const { packs, weights } = packsBySet(graph, withPage)
  const taken = new Set([first])
  for (const { modules } of merged(packs, weights)) {
    const name = nameOf(graph, modules, taken)
    taken.add(name)
    for (const id of modules) names.set(id, name)
  }
  return names
}

/** By their largest module: anyone who looks at what was fetched sees what it is. */
function nameOf(graph: Graph, modules: readonly string[], taken: ReadonlySet<string>): string {
  const [largest = ''] = modules.toSorted((a, b) => sizeOf(graph, b) - sizeOf(graph, a) || (a < b ? -1 : 1))
  const [name = ''] = basename(largest).split('.')
  for (let count = 1; ; count++) {
    const free = count === 1 ? name : `${name}_${count}`
    if (!taken.has(free)) return free
  }
}

const sizeOf = (graph: Graph, id: string) => graph.get(id)?.code?.length ?? 0

/** One pack for each set of screens that need the same: nobody fetches too much, and everybody many files. */
function packsBySet(graph: Graph, withPage: ReadonlySet<string>): { packs: Pack[]; weights: number[] } {
  const roots = [...graph.keys()].filter(id => !withPage.has(id) && graph.get(id)!.dynamicImporters.length > 0).sort()
  const weights = roots.map(id =>
    graph.get(id)!.dynamicImporters.some(each => each.endsWith('/screen.ts')) ? 1 : openedWeight,
  )
  const users = new Map<string, Set<number>>()
  for (const [place, root] of roots.entries())
    for (const id of closureOf(graph, root).difference(withPage)) users.set(id, (users.get(id) ?? new Set()).add(place))
  const loaded = new Map(roots.map((id, place) => [id, `file ${place}`]))
  const bySet = Map.groupBy(users, ([id, places]) => {
    return loaded.get(id) ?? (places.size === 1 ? `file ${[...places][0]}` : [...places].sort((a, b) => a - b).join())
  })
  const packs = [...bySet].map(([key, members]): Pack => {
    const modules = members.map(([id]) => id)
    const size = modules.reduce((sum, id) => sum + sizeOf(graph, id), 0)
    // The largest set is that of what was loaded.
    const used = new Set(members.flatMap(([, places]) => [...places]))
    return { modules, size, users: used, imports: new Set(), isOpen: !key.startsWith('file ') }
  })
  const packOf = new Map(packs.flatMap(pack => pack.modules.map(id => [id, pack])))
  for (const pack of packs)
    for (const id of pack.modules)
      for (const next of graph.get(id)!.importedIds) {
        const imported = packOf.get(next)
        if (imported !== undefined && imported !== pack) pack.imports.add(imported)
      }
  return { packs, weights }
}

/** Makes one of two packs, those first that save most, until none saves anything. */
function merged(packs: readonly Pack[], weights: readonly number[]): Pack[] {
  const weigh = (places: Iterable<number>) => [...places].reduce((sum, place) => sum + weights[place]!, 0)
  const known = new WeakMap<Pack['users'], WeakMap<Pack['users'], number>>()
  /** What is saved at most: what the two import may have to be fetched by more than before. Found once, as long as both have the same users. */
  const upperGain = (a: Pack, b: Pack) => {
    const ofA = known.get(a.users) ?? new WeakMap<Pack['users'], number>()
    known.set(a.users, ofA)
    const value =
      ofA.get(b.users) ??
      requestCost * weigh(a.users.intersection(b.users)) -
        b.size * weigh(a.users.difference(b.users)) -
        a.size * weigh(b.users.difference(a.users))
    ofA.set(b.users, value)
    return value
  }
  const gain = (a: Pack, b: Pack) => {
    const users = a.users.union(b.users)
    const beside = [...reachOf(a).union(reachOf(b))].filter(pack => pack !== a && pack !== b)
    const more = beside.map(pack => (requestCost + pack.size) * weigh(users.difference(pack.users)))
    return more.reduce((sum, each) => sum - each, upperGain(a, b))
  }
  let all = [...packs]
  for (;;) {
    const open = all.filter(pack => pack.isOpen)
    const pairs = open
      .flatMap((a, place) => open.slice(place + 1).map(b => ({ a, b, upTo: upperGain(a, b) })))
      .filter(({ upTo }) => upTo > 0)
      .sort((x, y) => y.upTo - x.upTo)
    let best: { a: Pack; b: Pack; saved: number } | undefined
    for (const { a, b, upTo } of pairs) {
      if (upTo <= (best?.saved ?? 0)) break
      if (isBetween(a, b) || isBetween(b, a)) continue
      const saved = gain(a, b)
      if (saved > (best?.saved ?? 0)) best = { a, b, saved }
    }
    if (best === undefined) return open
    all = joined(all, best.a, best.b)
  }
}

/** Everything that a pack imports, in turn. */
function reachOf(pack: Pack): Set<Pack> {
  const reached = new Set(pack.imports)
  for (const each of reached) for (const next of each.imports) reached.add(next)
  return reached
}

/** Whether `from` imports something else that imports `to`: as one, the two and what is between them would wait for each other. */
const isBetween = (from: Pack, to: Pack) => [...from.imports].some(pack => pack !== to && reachOf(pack).has(to))

function joined(all: readonly Pack[], a: Pack, b: Pack): Pack[] {
  const pack: Pack = {
    modules: [...a.modules, ...b.modules],
    size: a.size + b.size,
    users: a.users.union(b.users),
    imports: new Set([...a.imports, ...b.imports].filter(each => each !== a && each !== b)),
    isOpen: true,
  }
  for (const { imports } of all) {
    const imported = [imports.delete(a), imports.delete(b)]
    if (imported.includes(true)) imports.add(pack)
  }
  for (const each of reachOf(pack)) if (!pack.users.isSubsetOf(each.users)) each.users = each.users.union(pack.users)
  return [...all.filter(each => each !== a && each !== b), pack]
}
