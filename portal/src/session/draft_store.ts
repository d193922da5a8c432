// What was typed and not sent yet, kept for this tab: in memory, and in its session storage so that a reload loses none of it. Each draft is
// named by its person, mode and form. It goes when it is sent or thrown away, when somebody logs out, and with the tab.

const prefix = 'tandem.draft '
/** Of one draft as JSON; a longer one is kept in memory only. */
const maxLength = 100_000
/** The oldest go first. */
const maxCount = 50

type Kept = { at: number; value: unknown }
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** @param storage undefined where the browser has none for us */
export function createDraftStore(storage: DraftStorage | undefined) {
  const memory = new Map<string, unknown>()

  function attempt<Result>(work: (storage: DraftStorage) => Result): Result | undefined {
    try {
      return storage === undefined ? undefined : work(storage)
    } catch {
      // Full, or forbidden: what is in memory lasts until the page is left.
      return undefined
    }
  }
  const storedNames = (from: DraftStorage) =>
    Array.from({ length: from.length }, (_, index) => from.key(index) ?? '').filter(name => name.startsWith(prefix))

  function stored(name: string): Kept | undefined {
    return attempt(from => {
      const text = from.getItem(prefix + name)
      return text === null ? undefined : (JSON.parse(text) as Kept)
    })
  }
  function trim(from: DraftStorage): void {
    const names = storedNames(from)
    if (names.length <= maxCount) return
    const atOf = (name: string) => stored(name.slice(prefix.length))?.at ?? 0
    const oldest = names.toSorted((a, b) => atOf(a) - atOf(b)).slice(0, names.length - maxCount)
    for (const name of oldest) from.removeItem(name)
  }

  return {
    read: (name: string): unknown => (memory.has(name) ? memory.get(name) : stored(name)?.value),
    keep(name: string, value: unknown): void {
      memory.set(name, value)
      attempt(to => {
        // Files cannot be written down.
        const text = JSON.stringify({ at: Date.now(), value }, (_, part) => (part instanceof Blob ? undefined : part))
        if (text.length > maxLength) to.removeItem(prefix + name)
        else to.setItem(prefix + name, text)
        trim(to)
      })
    },
    drop(name: string): void {
      memory.delete(name)
      attempt(from => from.removeItem(prefix + name))
    },
    clear(): void {
      memory.clear()
      attempt(from => {
        for (const name of storedNames(from)) from.removeItem(name)
      })
    },
  }
}

function sessionStorageIfAny(): DraftStorage | undefined {
  try {
    return globalThis.sessionStorage
  } catch {
    return undefined
  }
}

export const draftStore = createDraftStore(sessionStorageIfAny())

/** What was kept, in the form of `empty`: another version of the portal may have written it. */
export function fitted<Values>(kept: unknown, empty: Values): Values {
  if (kept === undefined) return empty
  if (typeof empty !== 'object' || empty === null) return typeof kept === typeof empty ? (kept as Values) : empty
  if (typeof kept !== 'object' || kept === null) return empty
  const entries = Object.entries(empty).map(([name, begun]) => {
    const value = (kept as Record<string, unknown>)[name]
    const isLike =
      begun === null ||
      value === null ||
      (typeof value === typeof begun && Array.isArray(value) === Array.isArray(begun))
    if (value === undefined || !isLike) return [name, begun]
    return [name, Array.isArray(value) ? value.filter(part => part !== null && part !== undefined) : value]
  })
  return Object.fromEntries(entries) as Values
}
