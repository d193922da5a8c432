// A noun as one value. When the process starts it becomes ordinary endpoints, permissions and events; nothing about it is looked up while
// a request runs. Any endpoint can be left out (`only`) and written by hand instead.
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { Fields } from './field.ts'
import { hostFieldOf } from './hosts.ts'
import { namesOf } from './noun_names.ts'
import { addTable, type NounTable } from './registry.ts'
import { type AnySpec, type Spec, type Verb, verbs, verbsOf } from './spec.ts'
import { duplicatesEndpoint } from './verbs_duplicates.ts'
import { exportEndpoint } from './verbs_export.ts'
import { bulkEndpoint } from './verbs_many.ts'
import { mergeEndpoint } from './verbs_merge.ts'
import { getEndpoint, historyEndpoint, listEndpoint } from './verbs_read.ts'
import { createEndpoint, deleteEndpoint, restoreEndpoint, updateEndpoint } from './verbs_write.ts'

type Rights = 'read' | 'create' | 'update' | 'delete'
type Past = 'created' | 'updated' | 'deleted' | 'restored' | 'merged' | 'purged'
type PermissionFacts = { allows: string; roles: readonly ('Sales Manager' | 'Sales Executive' | 'Finance Manager')[] }

/** A noun: what it declares for the vocabulary of the product, and its endpoints. */
export type Noun<One extends string, Many extends string, F extends Fields, More extends string> = {
  spec: Spec<One, Many, F>
  table: string
  permissions: Readonly<Record<`${Many}:${Rights}`, PermissionFacts>>
  events: { readWith: `${Many}:${'read' | 'update'}`; types: Readonly<Record<`${One}.${Past | More}`, string>> }
  /** By verb, for anyone who replaces one. */
  endpointOf: Readonly<Record<Verb, Endpoint>>
  endpoints: readonly Endpoint[]
}

const makers: Readonly<Record<Verb, (noun: NounTable, names: ReturnType<typeof namesOf>) => Endpoint>> = {
  list: listEndpoint,
  get: getEndpoint,
  create: createEndpoint,
  update: updateEndpoint,
  delete: deleteEndpoint,
  restore: restoreEndpoint,
  bulk: bulkEndpoint,
  merge: mergeEndpoint,
  duplicates: duplicatesEndpoint,
  history: historyEndpoint,
  export: exportEndpoint,
}

export function noun<
  const One extends string,
  const Many extends string,
  F extends Fields,
  const More extends Readonly<Record<string, string>> = Record<never, string>,
>(spec: Spec<One, Many, F> & { events?: More }): Noun<One, Many, F, keyof More & string> {
  const any = spec as unknown as AnySpec
  const [one, many] = any.names
  const names = namesOf(any)
  if (Object.values(any.fields).filter(({ moves }) => moves !== undefined).length > 1)
    throw new Error(`${many} has several states with moves: a record stands in one`)
  const made: NounTable = { spec: any, table: many }
  addTable(made)
  const endpointOf = Object.fromEntries(verbs.map(verb => [verb, makers[verb](made, names)])) as Record<Verb, Endpoint>
  const { roles } = any
  const all = names.manyWords
  return {
    spec,
    table: many,
    permissions: {
      [`${many}:read`]: { allows: `List and read ${all}.`, roles: roles.read },
      [`${many}:create`]: { allows: `Create ${all}.`, roles: roles.create },
      [`${many}:update`]: { allows: `Change ${all}.`, roles: roles.update },
      [`${many}:delete`]: { allows: `Delete, restore and merge ${all}.`, roles: roles.delete },
    },
    events: {
      // An event shows the record to anyone who may read the log, whatever records of others they see: what is put on these is for those
      // who change it.
      readWith: hostFieldOf(any) === undefined ? `${many}:read` : `${many}:update`,
      types: {
        [`${one}.created`]: `${upper(names.aOne)} was created.`,
        [`${one}.updated`]: `Fields of ${names.aOne} changed.`,
        [`${one}.deleted`]: `${upper(names.aOne)} was deleted.`,
        [`${one}.restored`]: `A deleted ${names.oneWords} was restored.`,
        [`${one}.merged`]: `Other ${all} were merged into one.`,
        [`${one}.purged`]: `${upper(names.aOne)} that was in the trash for 30 days was removed for good.`,
        ...Object.fromEntries(Object.entries(any.events ?? {}).map(([past, text]) => [`${one}.${past}`, text])),
      },
    },
    endpointOf,
    endpoints: verbsOf(any)
      .filter(verb => any.byHand?.includes(verb) !== true)
      .map(verb => endpointOf[verb]),
  } as unknown as Noun<One, Many, F, keyof More & string>
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
