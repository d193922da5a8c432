// How the contract test meets the nouns that are one value: what their endpoints need follows from what they declare.
import { randomUUID } from 'node:crypto'
import '../../src/catalog.ts'
import { hostFieldOf, isHost } from '../../src/kernel/noun/hosts.ts'
import { hasMoves, movesOf } from '../../src/kernel/noun/moves.ts'
import { fieldsOf } from '../../src/kernel/noun/records.ts'
import { allTables, type NounTable } from '../../src/kernel/noun/registry.ts'
import { type AnySpec, verbsOf } from '../../src/kernel/noun/spec.ts'
import { newId } from '../../src/kernel/values/ids.ts'
import type { ContractRequest, EndpointContract, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'
import { sampleBody } from '../noun_records.ts'

type Body = Record<string, unknown>
/** As their own endpoints name records. */
type Id = string | number

let phones = 0

function contractsOf(noun: NounTable): ModuleContract {
  const { spec } = noun
  const [one, many] = spec.names
  const path = `/v1/api/${many.replaceAll('_', '-')}`

  /** The sample, with what it names made first, and no one's duplicate. */
  async function bodyOf(t: TestApp, as: string): Promise<Body> {
    const body: Body = await sampleBody(t, as, spec)
    for (const [name, field] of fieldsOf(spec)) {
      if (body[name] === undefined || !isMatched(name)) continue
      if (field.kind === 'text' && (spec.unique || name !== spec.title))
        body[name] = `${body[name]} ${randomUUID().slice(0, 8)}`
      if (field.kind === 'domain') body[name] = `${randomUUID()}.example`
      if (field.kind === 'phone') body[name] = `+1202555${String(1_000 + phones++)}`
      if (field.kind === 'email') body[name] = `${randomUUID()}@example.com`
      if (field.kind === 'emails') body[name] = [{ value: `${randomUUID()}@example.com` }]
    }
    return body
  }
  const isMatched = (name: string) => spec.match?.includes(name) === true

  async function create(t: TestApp, as: string, given?: Body): Promise<Id> {
    const body = given ?? (await bodyOf(t, as))
    if (spec.only?.includes('create') === false) return createByHand(t, as, body)
    const { json } = await t.call('POST', path, { as, body })
    return json[one].id
  }
  const made = async (t: TestApp): Promise<ContractRequest> => ({
    params: { id: await create(t, t.main.tokens.Admin) },
  })
  const foreign = async (t: TestApp) => ({ params: { id: await create(t, t.other.tokens.Admin) } })
  const unknownId = (): Id => (spec.prefix === undefined ? 999_999_999 : newId(spec.prefix))
  const nobody = async () => ({ params: { id: unknownId() } })

  async function trashed(t: TestApp): Promise<ContractRequest> {
    const request = await made(t)
    await t.call('DELETE', `${path}/${request.params!['id']}`, { as: t.main.tokens.Admin })
    return request
  }

  const block = { 'x-duplicate-mode': 'block' }
  /** What another record has already. */
  async function taken(t: TestApp): Promise<Body> {
    const body = await bodyOf(t, t.main.tokens.Admin)
    await create(t, t.main.tokens.Admin, body)
    return Object.fromEntries(Object.entries(body).filter(([name]) => isMatched(name) || name === spec.title))
  }
  const duplicates = spec.match !== undefined && spec.match.length > 0
  const duplicate = (problem: (t: TestApp) => Promise<ContractRequest>): EndpointContract['problems'] =>
    duplicates ? { duplicate_record: problem } : {}

  const all: ModuleContract = {
    [`${many}.timeline`]: {
      prepare: made,
      problems: {
        not_found: nobody,
        invalid_cursor: async t => ({ ...(await made(t)), query: { cursor: 'bm9uc2Vuc2U' } }),
      },
      foreign,
    },
    [`${many}.list`]: {},
    [`${many}.get`]: { prepare: made, problems: { not_found: nobody }, foreign },
    [`${many}.export`]: {},
    [`${many}.history`]: { prepare: made, problems: { not_found: nobody }, foreign },
    [`${many}.duplicates`]: { prepare: made, problems: { not_found: nobody }, foreign },
    [`${many}.create`]: {
      prepare: async t => ({ body: await bodyOf(t, t.main.tokens.Admin) }),
      problems: {
        ...(hostFieldOf(spec) !== undefined && {
          record_not_found: async () => ({ body: { ...spec.sample, [hostFieldOf(spec)!]: newId('cmp') } }),
        }),
        ...duplicate(async t => ({
          body: { ...(await bodyOf(t, t.main.tokens.Admin)), ...(await taken(t)) },
          headers: block,
        })),
      },
    },
    [`${many}.update`]: {
      prepare: async t => ({ ...(await made(t)), ...(spec.unique && { body: { [spec.title]: randomUUID() } }) }),
      problems: {
        not_found: nobody,
        ...(hasMoves(spec) && {
          invalid_transition: async t => {
            const { name, from, to } = wrongMove(spec)
            const id = await create(t, t.main.tokens.Admin, { ...(await bodyOf(t, t.main.tokens.Admin)), [name]: from })
            return { params: { id }, body: { [name]: to } }
          },
        }),
        ...duplicate(async t => ({ ...(await made(t)), body: await taken(t), headers: block })),
      },
      foreign,
    },
    [`${many}.delete`]: { prepare: made, problems: { not_found: nobody }, foreign },
    [`${many}.restore`]: {
      prepare: trashed,
      problems: {
        not_found: nobody,
        ...duplicate(async t => {
          const body = await bodyOf(t, t.main.tokens.Admin)
          const id = await create(t, t.main.tokens.Admin, body)
          await t.call('DELETE', `${path}/${id}`, { as: t.main.tokens.Admin })
          await create(t, t.main.tokens.Admin, body)
          return { params: { id }, headers: block }
        }),
      },
      foreign,
    },
    [`${many}.bulk`]: {
      prepare: async t => ({ body: { ids: [await create(t, t.main.tokens.Admin)], action: 'delete' } }),
      problems: {
        insufficient_role: async t => ({ as: t.main.tokens['Sales Executive'] }),
        count_mismatch: async () => ({ body: { filter: {}, expect: 99_999, action: 'delete' } }),
      },
    },
    [`${many}.merge`]: {
      prepare: async t => ({
        body: { into: await create(t, t.main.tokens.Admin), others: [await create(t, t.main.tokens.Admin)] },
      }),
      problems: {
        not_found: async t => ({ body: { into: unknownId(), others: [await create(t, t.main.tokens.Admin)] } }),
      },
    },
  }
  const verbsLeft: readonly string[] = verbsOf(spec)
  return Object.fromEntries(
    Object.entries(all).filter(([id]) =>
      [...verbsLeft, ...(isHost(spec) ? ['timeline'] : [])].includes(id.slice(many.length + 1)),
    ),
  )
}

/** Two states of which the first does not lead to the second. */
function wrongMove(spec: AnySpec): { name: string; from: string; to: string } {
  const [name, { moves, choices }] = fieldsOf(spec).find(([, field]) => field.moves !== undefined)!
  const allowed = movesOf(choices!, moves!)
  const pairs = choices!.flatMap(from => choices!.map(to => ({ name, from, to })))
  return pairs.find(({ from, to }) => from !== to && !allowed[from]!.includes(to))!
}

/** What is no JSON is sent as a file. */
async function createByHand(t: TestApp, as: string, body: Body): Promise<string> {
  const url = `/v1/api/attachments?${new URLSearchParams(body as Record<string, string>)}`
  const headers = { 'content-type': 'application/octet-stream' }
  const { json } = await t.call('POST', url, { as, rawBody: '%PDF-1.7 An offer.', headers })
  return json.attachment.id
}

export const contract: ModuleContract = Object.assign({}, ...allTables().map(contractsOf))
