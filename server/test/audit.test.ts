// The audit log over the whole catalog: every endpoint that changes configuration says what it is called there, writes its entry exactly
// once when it succeeds, and none when it is refused or its transaction does not commit.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { catalog } from '../src/catalog.ts'
import { auditActionsOf, type Endpoint } from '../src/kernel/endpoint/endpoint.ts'
import type { ProblemCode } from '../src/kernel/values/problem.ts'
import { loadContracts, ownProblems, send } from './contract.ts'
import type { ContractRequest } from './contract_types.ts'
import { setPolicy } from './destinations.ts'
import { startTestApp, type TestApp, testPassword } from './harness.ts'

const contracts = await loadContracts()
let t: TestApp
before(async () => {
  t = await startTestApp()
  for (const { liveKey } of [t.main, t.other])
    await setPolicy(t, 'organization', { concurrentCalls: null, dailyCalls: null }, liveKey)
  await t.call('PATCH', '/v2/audit-events/policy', { as: t.main.tokens.Admin, body: { recordListens: true } })
})
after(() => t?.close())

/** Changes that are none of configuration, each kind with the reason. */
const ordinary: readonly [pattern: RegExp, why: string][] = [
  [/^(auth\.show_invitation|auth\.discover_sso|security\.preview)$/, 'changes nothing'],
  [/^(factors|auth)\.passkey_options$/, 'changes nothing'],
  [
    /^auth\.(request_password_reset|request_sign_in_link|sign_up)$/,
    'says nothing of an account; what comes of it is a mail, which has a record',
  ],
  [/^auth\.refresh$/, 'a session goes on; its reuse is in the log'],
  [/\.(create|update|delete|restore|convert)$/, 'single records have their own histories'],
  [/^(tags\.assign|views\.set_default)$/, 'on records, and for oneself'],
  [
    /^(operators\.(set|remove)|organization_codes\.remove|operator_sending\.(hold|release))$/,
    'of no organization; operators have a list of what they did',
  ],
  [/^imports\.dry_run$/, 'changes nothing'],
  [/^(invoices\.(send|cancel)|payments\.(create|reverse))$/, 'invoices have their own history and number audit'],
  [
    /^(destinations\.check|messages\.preview|mail_templates\.preview|carriers\.test|mail_transports\.test|mailboxes\.test|trunks\.test|webhooks\.test|webhook_listeners\.test)$/,
    'changes nothing',
  ],
  [/^(webhooks\.replay|webhooks\.replay_callbacks|webhook_listeners\.resend)$/, 'sends again what was sent'],
  [/^webhook_listeners\.report$/, 'traffic: the listener has a record of it'],
  [
    /^(messages|mails|inbound_mails|conversations|calls|client_calls|client_tokens|conferences)\./,
    'traffic: each has a record and events',
  ],
  [/^numbers\.verification\.send$/, 'asks for a code; the proof is in the log'],
]
/** Nouns of records, whose single changes are ordinary. */
const records =
  /^(organization_codes|leads|companies|contacts|notes|tasks|attachments|tags|views|imports|invoices|opt_outs|payments|calls|messages|mails|conversations|client_tokens|client_calls)\./

test('every endpoint that changes something is in the audit log, or is ordinary', () => {
  const silent = catalog.filter(definition => definition.method !== 'GET' && auditActionsOf(definition).length === 0)
  const faults = silent.filter(({ id }) => {
    const isRecord = /\.(create|update|delete|restore|convert)$/.test(id)
    return isRecord ? !records.test(id) : !ordinary.some(([pattern]) => pattern.test(id))
  })
  assert.deepEqual(
    faults.map(({ id }) => id),
    [],
    'declare `audit: …` on them: what they change is configuration',
  )
})

test('every export and look at what is secret is in the audit log', () => {
  const exports = catalog.filter(({ id }) => /\.(export|refused|signing_secret)$/.test(id))
  assert.ok(exports.length > 3)
  for (const definition of exports) assert.equal(auditActionsOf(definition).length, 1, definition.id)
})

test('actions are named in the past tense, and each means one thing', () => {
  for (const definition of catalog)
    for (const action of auditActionsOf(definition))
      assert.match(action, /^[a-z_]+\.(\w+ed|\w+_(in|out|begun|undone)|shown|heard|reset)$/)
})

type Row = { id: string; action: string; outcome: string; actor_id: string | null; text: string }

async function entriesOf(requestId: string): Promise<Row[]> {
  return t.ownerSql<Row>(
    `select id, action, outcome, actor_id, row_to_json(e)::text as text from audit_events e where context->>'requestId' = $1`,
    [requestId],
  )
}

const contractOf = (definition: Endpoint) => contracts.get(definition.id) ?? {}

async function prepared(definition: Endpoint): Promise<ContractRequest> {
  const request = (await contractOf(definition).prepare?.(t)) ?? {}
  if (contractOf(definition).endsCredential !== true) return request
  const body = { emailOrAdminId: t.main.users.Admin.email, password: testPassword }
  const { json } = await t.call('POST', '/v1/api/auth/login', { body })
  return { ...request, as: json.accessToken }
}

const secretShape = /tdm_(?:live|test)_[0-9A-Za-z]{20}|whsec_|eyJ[\w-]{20,}\.|correct horse/

for (const definition of catalog.filter(one => auditActionsOf(one).length > 0)) {
  describe(definition.id, () => {
    test('writes one entry when it succeeds', async () => {
      const answer = await send(t, definition, await prepared(definition))
      assert.equal(answer.status, definition.status ?? 200, answer.text)
      const entries = await entriesOf(answer.headers['x-request-id']!)
      assert.equal(entries.length, 1, JSON.stringify(entries))
      const [entry] = entries as [Row]
      assert.ok(auditActionsOf(definition).includes(entry.action as never), entry.action)
      assert.equal(entry.outcome, 'ok')
      assert.ok(entry.actor_id !== null)
      assert.doesNotMatch(entry.text, secretShape)
    })

    // An entry about a file is committed before its first byte is sent, whatever becomes of the sending.
    if (definition.envelope === 'file') return
    test('writes none when it is refused', async () => {
      for (const code of ownProblems(definition)) {
        const provoke = contractOf(definition).problems?.[code as ProblemCode]
        if (provoke === undefined) continue
        const answer = await send(t, definition, await provoke(t))
        if (answer.status < 400) continue
        assert.deepEqual(await entriesOf(answer.headers['x-request-id']!), [], code)
      }
    })
  })
}

describe('a transaction that does not commit', () => {
  before(() =>
    t.ownerSql(`
      create function refuse_commit() returns trigger language plpgsql as $$ begin raise exception 'no commit'; end $$;
      create constraint trigger no_commit after insert on events deferrable initially deferred
        for each row when (new.type in ('organization.updated', 'webhook.created', 'api_key.created', 'user.updated'))
        execute function refuse_commit()`),
  )
  after(() => t.ownerSql('drop trigger no_commit on events; drop function refuse_commit'))

  for (const id of ['organization.update', 'webhooks.create', 'api_keys.create', 'users.update'])
    test(`leaves no entry: ${id}`, async () => {
      const definition = catalog.find(one => one.id === id)!
      const answer = await send(t, definition, id.endsWith('.create') ? {} : await prepared(definition))
      assert.equal(answer.status, 500, answer.text)
      assert.deepEqual(await entriesOf(answer.headers['x-request-id']!), [])
    })
})

test('a change is not made when its entry cannot be written', async () => {
  await t.ownerSql(
    `alter table audit_events add constraint refuse_all check (action <> 'organization.updated') not valid`,
  )
  try {
    const answer = await t.call('PATCH', '/v2/organization', { as: t.main.tokens.Admin, body: { currency: 'CHF' } })
    assert.equal(answer.status, 500)
  } finally {
    await t.ownerSql('alter table audit_events drop constraint refuse_all')
  }
  const { json } = await t.call('GET', '/v2/organization', { as: t.main.tokens.Admin })
  assert.notEqual(json.data.currency, 'CHF')
})

test('the server may add entries and change or delete none', async () => {
  const tables = ['audit_events', 'audit_labels', 'audit_chain', 'audit_seals', 'audit_unsealed', 'audit_expired']
  const rows = await t.ownerSql<{ table: string; right: string }>(
    `select t as table, r as right from unnest($1::text[]) t, unnest(array['update', 'delete', 'truncate']) r
     where has_table_privilege('tandem_app', t, r)`,
    [tables],
  )
  assert.deepEqual(rows, [])
})
