// The cupboard of the Playground in this browser: named shelves of records in IndexedDB, one database for each user. Where
// the browser offers none (private windows, full disks), everything is kept in memory and lost with the page.

export const shelves = ['drafts', 'history', 'answers', 'saved', 'variables'] as const
export type Shelf = (typeof shelves)[number]

export type Store = {
  /** False when nothing outlives the page. */
  lasting: boolean
  get(shelf: Shelf, key: string): Promise<unknown>
  put(shelf: Shelf, key: string, value: unknown): Promise<void>
  remove(shelf: Shelf, keys: readonly string[]): Promise<void>
  /** Every record of a shelf with its key, in the order of the keys. */
  list(shelf: Shelf): Promise<[key: string, value: unknown][]>
  clear(): Promise<void>
}

/** A store that lives as long as the page. */
export function memoryStore(): Store {
  const maps = new Map<Shelf, Map<string, unknown>>(shelves.map(shelf => [shelf, new Map()]))
  const of = (shelf: Shelf) => maps.get(shelf)!
  return {
    lasting: false,
    get: async (shelf, key) => structuredClone(of(shelf).get(key)),
    put: async (shelf, key, value) => void of(shelf).set(key, structuredClone(value)),
    remove: async (shelf, keys) => {
      for (const key of keys) of(shelf).delete(key)
    },
    list: async shelf => structuredClone([...of(shelf)].sort(([a], [b]) => (a < b ? -1 : 1))),
    clear: async () => {
      for (const map of maps.values()) map.clear()
    },
  }
}

const DATABASE_VERSION = 1

/** The store of a user. Never fails: without IndexedDB it is one in memory. */
export async function openStore(userId: string): Promise<Store> {
  try {
    return lastingStore(await openDatabase(`tandem-playground-${userId}`))
  } catch {
    return memoryStore()
  }
}

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, DATABASE_VERSION)
    request.onupgradeneeded = () => {
      const { result } = request
      for (const shelf of shelves) if (!result.objectStoreNames.contains(shelf)) result.createObjectStore(shelf)
    }
    request.onblocked = () => reject(new Error('blocked'))
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      // A newer portal in another tab must be able to change the database.
      request.result.onversionchange = () => request.result.close()
      resolve(request.result)
    }
  })
}

function lastingStore(database: IDBDatabase): Store {
  const run = <T>(shelf: Shelf, mode: IDBTransactionMode, act: (shelf: IDBObjectStore) => IDBRequest<T> | undefined) =>
    new Promise<T | undefined>((resolve, reject) => {
      const transaction = database.transaction(shelf, mode)
      const request = act(transaction.objectStore(shelf))
      transaction.oncomplete = () => resolve(request?.result)
      transaction.onerror = () => reject(transaction.error)
      transaction.onabort = () => reject(transaction.error)
    })
  return {
    lasting: true,
    get: (shelf, key) => run(shelf, 'readonly', store => store.get(key)),
    put: async (shelf, key, value) => void (await run(shelf, 'readwrite', store => store.put(value, key))),
    remove: async (shelf, keys) => {
      if (keys.length === 0) return
      await run(shelf, 'readwrite', store => {
        for (const key of keys) store.delete(key)
        return undefined
      })
    },
    async list(shelf) {
      const [keys, values] = await Promise.all([
        run(shelf, 'readonly', store => store.getAllKeys()),
        run(shelf, 'readonly', store => store.getAll()),
      ])
      return (keys ?? []).map((key, index) => [String(key), values?.[index]])
    },
    async clear() {
      await Promise.all(shelves.map(shelf => run(shelf, 'readwrite', store => store.clear())))
    },
  }
}
