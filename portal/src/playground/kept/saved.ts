// Variables, and the requests that were kept here by name before collections were kept on the server: those are read, to be moved there.

import type { Draft } from '../request/request.ts'
import { isVariableName, setVariable, type Variable } from '../request/variables.ts'
import { t } from '../texts.ts'
import type { Mode } from './drafts.ts'
import { createLadder, isFields, readDraft } from './records.ts'
import { scrubNamed } from './secrets.ts'
import type { Store } from './store.ts'

export type SavedRequest = { id: string; name: string; atMs: number; draft: Draft }

const requests = createLadder([])
const variableLists = createLadder([])
const MAX_NAME = 120

/** By name. */
export async function listSaved(store: Store): Promise<SavedRequest[]> {
  const stored = await store.list('saved')
  return stored.flatMap(([key, value]) => readSaved(value, key) ?? []).sort((a, b) => a.name.localeCompare(b.name))
}

function readSaved(value: unknown, id: string): SavedRequest | undefined {
  const record = requests.unpack(value)
  const draft = readDraft(record?.['draft'])
  if (record === undefined || draft === undefined) return undefined
  const name =
    typeof record['name'] === 'string' && record['name'] !== '' ? record['name'] : `${draft.method} ${draft.path}`
  return { id, name: name.slice(0, MAX_NAME), atMs: Number(record['atMs']) || 0, draft }
}

export function removeSaved(store: Store, id: string): Promise<void> {
  return store.remove('saved', [id])
}

/** Keeps the variables of a mode; values that are secrets are kept as `<removed>`. */
export async function keepVariables(
  store: Store,
  mode: Mode,
  list: readonly Variable[],
  secrets: readonly string[],
): Promise<void> {
  const clean = list.map(variable => ({ ...variable, value: scrubNamed(variable.name, variable.value, secrets) }))
  await store.put('variables', mode, variableLists.pack({ list: clean }))
}

export async function findVariables(store: Store, mode: Mode): Promise<Variable[]> {
  return readVariables(variableLists.unpack(await store.get('variables', mode))?.['list'])
}

function readVariables(value: unknown): Variable[] {
  if (!Array.isArray(value)) return []
  return value.filter(isFields).reduce<Variable[]>((list, item) => {
    const { name, value: text, source } = item
    if (typeof name !== 'string' || !isVariableName(name) || typeof text !== 'string') return list
    return setVariable(list, { name, value: text, ...(typeof source === 'string' ? { source } : {}) })
  }, [])
}

const FILE_KIND = 'tandem-playground'

/** The requests of a file that the Playground wrote when it kept them in the browser. Throws a text for people when it is none. */
export function importSaved(text: string): { name: string; draft: Draft }[] {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch {
    throw new Error(t('fileNotJson'))
  }
  if (!isFields(file) || file['kind'] !== FILE_KIND || !Array.isArray(file['requests'])) {
    throw new Error(t('fileNoRequests'))
  }
  return file['requests'].flatMap(item => {
    const saved = readSaved({ schema: file['schema'], ...(isFields(item) ? item : {}) }, '')
    return saved === undefined ? [] : [{ name: saved.name, draft: saved.draft }]
  })
}
