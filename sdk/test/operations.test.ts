// Every method of the client against the real server: the sample request of its endpoint goes through and the reply is
// what the types promise; lists are read to the end; refusals arrive as errors with their code.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type CallOptions, createTandem, type StreamOptions, type Tandem, TandemError } from '@tandem/sdk'
import { camel } from '../../scripts/sdk_types.ts'
import { catalog } from '../../server/src/catalog.ts'
import type { Endpoint } from '../../server/src/kernel/endpoint/endpoint.ts'
import { problems } from '../../server/src/nouns.ts'
import { assertFits, loadContracts } from '../../server/test/contract.ts'
import { testPassword } from '../../server/test/harness.ts'
import { somebody } from '../../server/test/people.ts'
import { type ListeningApp, startListeningApp } from './server.ts'

const contracts = await loadContracts()
let t: ListeningApp
let admin: Tandem
before(async () => {
  t = await startListeningApp()
  admin = clientOf(t.main.tokens.Admin)
})
after(() => t?.close())

const clientOf = (token: string): Tandem => createTandem({ baseUrl: t.baseUrl, token })

type Fields = Record<string, unknown>
type Method = ((params?: Fields, options?: CallOptions) => ReturnType<Tandem['request']>) &
  ((params?: Fields, options?: StreamOptions) => AsyncIterable<unknown> & { close(): void })

/** The method of an endpoint, found by its id as a caller finds it. */
function methodOf(client: Tandem, id: string): Method {
  let place = client as unknown as Fields
  for (const name of id.split('.').map(camel)) place = place[name] as Fields
  assert.equal(typeof place, 'function', `there is no method for ${id}`)
  return place as unknown as Method
}

/** The reply as the server sent it, from what the method returned. */
function wrapped(definition: Endpoint, reply: unknown): unknown {
  const meta = { requestId: '', responseTime: '' }
  const status = definition.status ?? 200
  switch (definition.envelope) {
    case 'success':
      return { success: true, ...(reply as object) }
    case 'data':
      return { status, data: reply, meta }
    case 'page': {
      const { items, ...pagination } = reply as { items: unknown[] }
      return { status, data: items, meta: { ...meta, pagination } }
    }
    case 'file':
      assert.ok(reply instanceof Blob && reply.size > 0)
      assert.ok(definition.mediaType === '*/*' || reply.type.split(';')[0] === definition.mediaType)
      return 'its bytes'
    default:
      return reply
  }
}

async function freshToken(): Promise<string> {
  const { email } = t.main.users.Admin
  const { auth } = createTandem({ baseUrl: t.baseUrl })
  return (await auth.login({ emailOrAdminId: email, password: testPassword })).accessToken
}

async function sampleOf(
  definition: Endpoint,
): Promise<{ method: Method; params: Fields; headers?: CallOptions['headers'] }> {
  const contract = contracts.get(definition.id) ?? {}
  const request = (await contract.prepare?.(t)) ?? {}
  const ending = contract.endsCredential
  const token =
    ending === 'with its user'
      ? (request.as ?? (await somebody(t)).as)
      : ending === true
        ? await freshToken()
        : (request.as ?? t.main.tokens.Admin)
  const { sample } = definition
  const params = {
    ...sample.params,
    ...request.params,
    ...(request.query ?? sample.query),
    ...bodyOf(definition, request.body ?? sample.body),
  }
  return { method: methodOf(clientOf(token), definition.id), params, headers: request.headers }
}

/** A body that is a file is one field. */
function bodyOf({ upload }: Endpoint, body: unknown): Fields | undefined {
  return upload === undefined ? (body as Fields | undefined) : { file: body }
}

describe('every endpoint has a method that works', () => {
  // It has had a carrier then, and sends from its own numbers only.
  after(async () => {
    await t.ownerSql('delete from carriers')
    await t.call('POST', '/v2/numbers', { as: t.main.tokens.Admin, body: { number: '+15005550006' } })
  })
  for (const definition of catalog.filter(({ envelope }) => envelope !== 'stream')) {
    test(definition.id, async () => {
      const { method, params, headers } = await sampleOf(definition)
      const { data, status, requestId, rateLimit, retries } = await method(params, { headers }).withResponse()
      assert.equal(status, definition.status ?? 200)
      assertFits(definition, wrapped(definition, data))
      assert.match(requestId ?? '', /^req_/)
      assert.ok(rateLimit !== undefined && rateLimit.remaining < rateLimit.limit && rateLimit.resetSeconds > 0)
      assert.equal(retries, 0)
    })
  }

  for (const definition of catalog.filter(({ envelope }) => envelope === 'stream')) {
    test(`${definition.id}, a stream`, async () => {
      const { method, params } = await sampleOf(definition)
      let opened = 0
      const onOpen = () => {
        opened += 1
        stream.close()
      }
      const stream = method(params, { onOpen, maxRetries: 0 } as StreamOptions)
      for await (const event of stream) assert.fail(`an event after close: ${JSON.stringify(event)}`)
      assert.equal(opened, 1)
    })
  }
})

describe('lists are read to the end', () => {
  const names = Array.from({ length: 7 }, (_, index) => `Page ${index}`)
  const company = 'Pagination'
  before(async () => {
    for (const name of names) await admin.leads.create({ name, company, email: `${name.replace(' ', '')}@example.net` })
    for (const name of names) await admin.messages.sms.send({ from: '+15005550006', to: '+15005550177', body: name })
  })
  const query = { q: company, sort: 'name', limit: 3 }

  test('v1 by page: one call is one page, with totals', async () => {
    const { leads, pagination } = await admin.leads.list({ ...query, page: 3 })
    assert.deepEqual(
      leads.map(lead => lead.name),
      ['Page 6'],
    )
    assert.equal(pagination.totalCount, 7)
  })

  test('v1: all records, each once and in order', async () => {
    const seen: (string | undefined)[] = []
    for await (const lead of admin.leads.list.all(query)) seen.push(lead.name)
    assert.deepEqual(seen, names)
  })

  test('v1: pages, from one in the middle', async () => {
    const seen: (string | undefined)[][] = []
    for await (const page of admin.leads.list.all({ ...query, page: 2 }).pages()) seen.push(page.leads.map(l => l.name))
    assert.deepEqual(seen, [['Page 3', 'Page 4', 'Page 5'], ['Page 6']])
  })

  test('v2: all records, newest first, and no page more than the loop needs', async () => {
    const all = await admin.messages.list.all({ to: '+15005550177', limit: 3 }).toArray()
    assert.deepEqual(all.map(message => message.body).reverse(), names)
    const { items, nextCursor, hasMore, limit } = await admin.messages.list({ to: '+15005550177', limit: 3 })
    assert.deepEqual([items.length, typeof nextCursor, hasMore, limit], [3, 'string', true, 3])
    let requests = 0
    const counting = createTandem({
      baseUrl: t.baseUrl,
      token: t.main.tokens.Admin,
      fetch: (url, init) => {
        requests += 1
        return fetch(url, init)
      },
    })
    assert.equal((await counting.messages.list.all({ to: '+15005550177', limit: 3 }).toArray(3)).length, 3)
    assert.equal(requests, 1)
  })
})

describe('refusals are errors with their code', () => {
  const refused = async (call: Promise<unknown>): Promise<TandemError> => {
    const error = await call.then(
      () => assert.fail('the call went through'),
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof TandemError, String(error))
    return error
  }

  test('v1: every field fault at once, with the request id', async () => {
    const error = await refused(admin.leads.create({ name: '', email: 'no address' }))
    assert.deepEqual([error.status, error.code, error.retriable], [400, 'validation_failed', false])
    assert.deepEqual(error.details.map(({ field }) => field).sort(), ['email', 'name'])
    assert.match(error.requestId ?? '', /^req_/)
    assert.equal(error.docUrl, `${t.baseUrl}/errors/validation_failed`)
  })

  test('v2: the same, from the other shape', async () => {
    const error = await refused(admin.messages.get({ messageId: 'msg_00000000000000000000000000' }))
    assert.deepEqual([error.status, error.code, error.retriable], [404, 'not_found', problems.not_found.retriable])
    assert.ok(error.docUrl?.startsWith(`${t.baseUrl}/`) && error.docUrl.endsWith('not_found'))
  })

  test('no credential, a wrong role', async () => {
    assert.equal((await refused(createTandem({ baseUrl: t.baseUrl }).leads.list())).code, 'missing_credentials')
    const finance = clientOf(t.main.tokens['Finance Manager'])
    assert.equal((await refused(finance.leads.list())).code, 'insufficient_role')
  })

  test('ifMatch: a version that has passed is refused, the current one taken', async () => {
    const { lead } = await admin.leads.create({ name: 'Versions', phone: '+15005550123' })
    await admin.leads.update({ id: lead.id, notes: 'first' }, { ifMatch: lead.version })
    const error = await refused(admin.leads.update({ id: lead.id, notes: 'second' }, { ifMatch: lead.version }))
    assert.deepEqual([error.status, error.code], [412, 'version_mismatch'])
  })

  test('a key given twice sends one message, and says so', async () => {
    const sms = { from: '+15005550006', to: '+15005550100', body: 'once' }
    const options = { idempotencyKey: 'order-1' }
    const first = await admin.messages.sms.send(sms, options).withResponse()
    const second = await admin.messages.sms.send(sms, options).withResponse()
    assert.deepEqual([first.replayed, second.replayed], [false, true])
    assert.equal(second.data.messageId, first.data.messageId)
    const other = await refused(admin.messages.sms.send({ ...sms, body: 'twice' }, options))
    assert.equal(other.code, 'idempotency_mismatch')
  })
})
