// Puts what every page fetches first into one file, the frame with its icons and the small rooms below it: apart they are some forty
// files, each packed by itself, which costs some KiB.

type ModuleInfo = { isEntry: boolean; importers: readonly string[] }
type Context = { getModuleInfo(id: string): ModuleInfo | null }

/** The chunk of a module, or null for those that only some screens need. */
export function firstChunk(): (id: string, context: Context) => string | null {
  const known = new Map<string, boolean>()
  const isFirst = (id: string, context: Context): boolean => {
    const before = known.get(id)
    if (before !== undefined) return before
    // Of a circle, the others decide.
    known.set(id, false)
    const info = context.getModuleInfo(id)
    const first = info !== null && (info.isEntry || info.importers.some(importer => isFirst(importer, context)))
    known.set(id, first)
    return first
  }
  // The page and the module that it names stay a file of their own: the manifest calls it the entry.
  const isEntry = (id: string, context: Context) => context.getModuleInfo(id)?.isEntry === true
  return (id, context) => {
    const importers = context.getModuleInfo(id)?.importers ?? []
    const stays = isEntry(id, context) || importers.some(importer => isEntry(importer, context))
    return !stays && isFirst(id, context) ? 'first' : null
  }
}
