// The timeline of a lead: everything exchanged with its number and everything that happened to it, each once and in
// order through any pages, for those who may see it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { makeRecording } from '../../../test/voice/recordings.ts'
import { newId } from '../../kernel/values/ids.ts'
import { entryOfLeadEvent, merged } from './rules.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

type Entry = {
  id: string
  kind: string
  at: string
  direction: string | null
  title: string
  body: string | null
  status: string | null
  code: string | null
  duration_seconds: number | null
  changes: { field: string; from: string | null; to: string | null }[]
  recordings: { recording_id: string; state: string; duration_seconds: number | null; code: string | null }[]
  resource_id: string
}

const admin = () => t.main.tokens.Admin
let numbers = 0
const freshPhone = () => `+1202555${String(1_000 + numbers++)}`

async function newLead(body: object = {}, as = admin()): Promise<number> {
  const answer = await t.call('POST', '/v1/api/leads', { as, body: { name: 'Ada', phone: freshPhone(), ...body } })
  assert.equal(answer.status, 201, answer.text)
  return answer.json.lead.id
}

const change = async (id: number, body: object, as = admin()) => {
  const answer = await t.call('PATCH', `/v1/api/leads/${id}`, { as, body })
  assert.equal(answer.status, 200, answer.text)
}

const get = (id: number, query = '', as = admin()) => t.call('GET', `/v1/api/leads/${id}/timeline${query}`, { as })

async function timeline(id: number, query = '', as = admin()): Promise<Entry[]> {
  const answer = await get(id, query, as)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.json.success, true)
  return answer.json.entries
}

async function text(to: string, body = 'Hello', as = admin()): Promise<string> {
  const answer = await t.call('POST', '/v2/messages/sms', { as, body: { from: '+15005550006', to, body } })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.messageId
}

async function call(to: string, as = admin()): Promise<string> {
  const answer = await t.call('POST', '/v2/voice/calls', { as, body: { from: '+15005550006', to } })
  assert.ok(answer.status < 300, answer.text)
  return answer.json.data.callId
}

/** Something that came in, as its row. */
async function inbound(kind: 'message' | 'call', from: string, tenantId = t.main.liveTenantId): Promise<string> {
  const id = newId(kind === 'message' ? 'msg' : 'call')
  if (kind === 'message')
    await t.ownerSql(
      `insert into messages (tenant_id, id, direction, status, carrier, carrier_reference, from_address, to_address, body,
         encoding, segments, created_at, final_at)
       values ($1, $2, 'inbound', 'received', 'handset', $2, $3, '+15005550006', 'Hi', 'GSM-7', 1, now(), now())`,
      [tenantId, id, from],
    )
  else
    await t.ownerSql(
      `insert into calls (tenant_id, id, direction, from_number, to_number, timeout_seconds, time_limit_seconds, changed_at)
       values ($1, $2, 'inbound', $3, '+15005550006', 60, 3600, now())`,
      [tenantId, id, from],
    )
  return id
}

describe('a timeline', () => {
  test('holds messages and calls both ways and what happened to the lead, newest first', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    const ids = [
      await text(phone, 'First'),
      await inbound('message', phone),
      await call(phone),
      await inbound('call', phone),
    ]
    await change(id, { status: 'Contacted' })
    const entries = await timeline(id)
    assert.deepEqual(
      entries.map(entry => [entry.kind, entry.direction, entry.title]),
      [
        ['lead_event', null, 'Status changed from New to Contacted'],
        ['call', 'inbound', `Call from ${phone}`],
        ['call', 'outbound', `Call to ${phone}`],
        ['message', 'inbound', `Text from ${phone}`],
        ['message', 'outbound', `Text to ${phone}`],
        ['lead_event', null, 'Lead created'],
      ],
    )
    assert.deepEqual(
      entries.slice(1, 5).map(entry => [entry.id, entry.resource_id]),
      ids.toReversed().map(one => [one, one]),
    )
    assert.deepEqual([entries[4]!.body, entries[4]!.status], ['First', 'queued'])
    assert.deepEqual([entries[0]!.status, entries[0]!.resource_id], ['Contacted', String(id)])
    assert.ok(entries.every((entry, n) => n === 0 || entry.at <= entries[n - 1]!.at))
    for (const { at } of entries) assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  test('says what changed, who has it now, and why it was given up', async () => {
    const id = await newLead({ company: 'Old Ltd' })
    await change(id, { company: 'New Ltd', notes: 'Call back' })
    await change(id, { owner_id: t.main.users['Sales Manager'].id })
    await change(id, { owner_id: null })
    await change(id, { status: 'Unqualified', lost_reason: 'No budget' })
    const entries = await timeline(id)
    assert.deepEqual(
      entries.map(entry => entry.title),
      [
        'Status changed from New to Unqualified',
        'Owner taken away',
        'Owner changed',
        'Changed company, notes',
        'Lead created',
      ],
    )
    assert.equal(entries[0]!.body, 'No budget')
    assert.deepEqual(entries[3]!.changes, [
      { field: 'company', from: 'Old Ltd', to: 'New Ltd' },
      { field: 'notes', from: null, to: 'Call back' },
    ])
  })

  test('a change of status and more at once is shown as two, each with its own', async () => {
    const id = await newLead()
    await change(id, { status: 'Contacted', company: 'New Ltd' })
    const [first, second] = await timeline(id)
    assert.deepEqual([first!.title, second!.title].toSorted(), [
      'Changed company',
      'Status changed from New to Contacted',
    ])
    assert.deepEqual(
      [first!, second!].flatMap(entry => entry.changes),
      [{ field: 'company', from: null, to: 'New Ltd' }],
    )
  })

  test('shows recordings with their call: ready, running, failed and deleted ones, and none with another call', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    const recorded = await call(phone)
    const silent = await call(phone)
    const made: string[] = []
    for (const state of ['available', 'recording', 'failed', 'deleted'] as const)
      made.push((await makeRecording(t, { callId: recorded, state })).id)
    const entries = await timeline(id)
    const found = (callId: string) => entries.find(entry => entry.id === callId)?.recordings
    assert.deepEqual(found(recorded), [
      { recording_id: made[0], state: 'available', duration_seconds: 1, code: null },
      { recording_id: made[1], state: 'recording', duration_seconds: null, code: null },
      { recording_id: made[2], state: 'failed', duration_seconds: null, code: 'recording_write_failed' },
      { recording_id: made[3], state: 'deleted', duration_seconds: 1, code: null },
    ])
    assert.deepEqual(found(silent), [])
    const created = entries.find(entry => entry.title === 'Lead created')
    assert.deepEqual(created?.recordings, [], 'an event of the lead has none')
  })

  test('of two leads with one number shows both what was exchanged; each its own events', async () => {
    const phone = freshPhone()
    const [one, two] = [await newLead({ phone }), await newLead({ phone })]
    const message = await text(phone)
    for (const id of [one, two]) {
      const entries = await timeline(id)
      assert.deepEqual(
        entries.map(entry => entry.kind),
        ['message', 'lead_event'],
      )
      assert.deepEqual([entries[0]!.id, entries[1]!.resource_id], [message, String(id)])
    }
  })

  test('follows the number the lead has now', async () => {
    const [before, after] = [freshPhone(), freshPhone()]
    const id = await newLead({ phone: before })
    const [old, later] = [await text(before), await text(after)]
    const messages = async () => (await timeline(id)).filter(entry => entry.kind === 'message').map(entry => entry.id)
    assert.deepEqual(await messages(), [old])
    await change(id, { phone: after })
    assert.deepEqual(await messages(), [later])
    await change(id, { phone: null, email: 'ada@example.com' })
    assert.deepEqual(await messages(), [])
  })

  test('another resource with the number of the lead as its id has no part in it', async () => {
    const id = await newLead()
    await t.ownerSql(
      "insert into events (tenant_id, id, type, resource_id, sequence, data) values ($1, $2, 'invoice.created', $3, 1, '{}')",
      [t.main.liveTenantId, newId('evt'), String(id)],
    )
    assert.deepEqual(
      (await timeline(id)).map(entry => entry.title),
      ['Lead created'],
    )
  })

  test('shows the text of a message no more when it was taken away, and what somebody wrote to themselves once', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    await inbound('message', phone)
    await t.ownerSql(
      "update messages set to_address = from_address, body = '', redacted_at = now() where from_address = $1",
      [phone],
    )
    const entries = await timeline(id)
    assert.deepEqual(
      entries.map(entry => [entry.kind, entry.body]),
      [
        ['message', null],
        ['lead_event', null],
      ],
    )
  })

  test('goes on through pages of any size, each entry once, also among entries of one moment', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    for (let n = 0; n < 6; n++) {
      await text(phone)
      await inbound('message', phone)
      await call(phone)
      await inbound('call', phone)
      await change(id, { company: `Company ${n}` })
    }
    // Half of it at one moment, with microseconds where a table has them.
    await t.ownerSql("update messages set created_at = '2026-01-01T00:00:00.123Z' where to_address = $1", [phone])
    await t.ownerSql("update calls set created_at = '2026-01-01T00:00:00.123456Z' where to_number = $1", [phone])
    await t.ownerSql("update events set at = '2026-01-01T00:00:00.123789Z' where resource_id = $1 and sequence < 8", [
      String(id),
    ])
    const all = (await timeline(id, '?limit=100')).map(entry => entry.id)
    assert.equal(all.length, 31)
    assert.equal(new Set(all).size, 31)
    for (const limit of [1, 2, 7, 30, 31]) {
      const seen: string[] = []
      let cursor: string | null = null
      do {
        const { json } = await get(id, `?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)
        seen.push(...json.entries.map((entry: Entry) => entry.id))
        cursor = json.pagination.nextCursor
        assert.ok(json.entries.length === limit || cursor === null)
      } while (cursor !== null)
      assert.deepEqual(seen, all, `by ${limit}`)
    }
  })

  test('takes no cursor of another lead, nor of the lead with another number', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    await text(phone)
    const { json } = await get(id, '?limit=1')
    const { nextCursor } = json.pagination
    assert.equal((await get(id, `?limit=1&cursor=${nextCursor}`)).status, 200)
    const other = await newLead({ phone })
    for (const answer of [
      await get(other, `?cursor=${nextCursor}`),
      await change(id, { phone: freshPhone() }).then(() => get(id, `?cursor=${nextCursor}`)),
    ])
      assert.deepEqual([answer.status, answer.json.code], [400, 'invalid_cursor'])
  })
})

describe('who sees it', () => {
  test('a Sales Executive: of own and unassigned leads', async () => {
    const executive = t.main.tokens['Sales Executive']
    const [unassigned, own, foreign] = [await newLead(), await newLead({}, executive), await newLead()]
    await change(foreign, { owner_id: t.main.users['Sales Manager'].id })
    assert.equal((await get(unassigned, '', executive)).status, 200)
    assert.equal((await get(own, '', executive)).status, 200)
    assert.equal((await get(foreign, '', executive)).status, 404)
  })

  test('nobody of another organization, in the other mode, or of a lead in the trash', async () => {
    const id = await newLead()
    for (const as of [t.other.tokens.Admin, t.other.liveKey, t.main.testKey])
      assert.equal((await get(id, '', as)).status, 404)
    await t.call('DELETE', `/v1/api/leads/${id}`, { as: admin() })
    assert.equal((await get(id)).status, 404)
    await t.call('POST', `/v1/api/leads/${id}/restore`, { as: admin() })
    assert.deepEqual(
      (await timeline(id)).map(entry => entry.title),
      ['Restored from the trash', 'Moved to the trash', 'Lead created'],
    )
  })

  test('messages and calls of the same number in other tenants have no part in it', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    await text(phone, 'theirs', t.other.liveKey)
    await text(phone, 'test', t.main.testKey)
    await call(phone, t.other.liveKey)
    await inbound('call', phone, t.main.testTenantId)
    assert.deepEqual(
      (await timeline(id)).map(entry => entry.kind),
      ['lead_event'],
    )
  })

  test('anyone who may not read messages or calls sees the rest, and what is left out is named', async () => {
    const phone = freshPhone()
    const id = await newLead({ phone })
    await text(phone)
    await makeRecording(t, { callId: await call(phone) })
    const keyOf = async (scopes: string[]): Promise<string> => {
      const answer = await t.call('POST', '/v2/auth/api-keys', {
        as: admin(),
        body: { name: scopes.join(' '), mode: 'live', scopes },
      })
      assert.equal(answer.status, 201, answer.text)
      return answer.json.data.secret
    }
    for (const [scopes, kinds, left] of [
      [['leads:read'], ['lead_event'], ['messages:read', 'calls:read', 'recordings:read']],
      [
        ['leads:read', 'messages:read'],
        ['message', 'lead_event'],
        ['calls:read', 'recordings:read'],
      ],
      [
        ['leads:read', 'calls:read'],
        ['call', 'lead_event'],
        ['messages:read', 'recordings:read'],
      ],
      [['leads:read', 'calls:read', 'messages:read'], ['call', 'message', 'lead_event'], ['recordings:read']],
      [['leads:read', 'calls:read', 'messages:read', 'recordings:read'], ['call', 'message', 'lead_event'], []],
    ] as const) {
      const { json } = await get(id, '', await keyOf([...scopes, 'notes:read', 'tasks:read', 'attachments:read']))
      assert.deepEqual(
        json.entries.map((entry: Entry) => entry.kind),
        kinds,
      )
      assert.equal(
        json.entries.flatMap((entry: Entry) => entry.recordings).length,
        (scopes as readonly string[]).includes('recordings:read') ? 1 : 0,
      )
      assert.deepEqual(
        json.left_out.map((item: { permission: string }) => item.permission),
        left,
      )
    }
  })
})

test('an event of a kind unknown here is named by its type', () => {
  const row = {
    id: 'evt_1',
    type: 'lead.merged_away',
    at: '2026-01-01T00:00:00Z',
    data: { status: 'New' },
    previous: null,
  }
  assert.equal(entryOfLeadEvent(row, 1).title, 'Lead merged away')
  assert.deepEqual(merged([[], []]), [])
})
