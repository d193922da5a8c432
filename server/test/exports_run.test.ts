// The exports for Postman and Bruno by the programs that run them, newman and Bruno's own, from the first request to the last against the real
// command in a fresh folder: each request is answered as its own script wants, nothing is passed by that this list does not name, and
// nothing is refused but what it names.
// test: programs
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { findPeer, missingPeer, peersFolder, runPeer } from './npm_peers.ts'
import { endServer, freshFolder, startServer } from './server_process.ts'

const newman = findPeer('newman')
const bruno = findPeer('bru')

/** By the name of the request: its status, and the code of a refusal. */
type Ran = Map<string, string>
type Variables = Readonly<Record<string, string>>

/**
 * What a run needs somebody's value for, whatever the credential: what never ends, what rings, what only calls bring about, which
 * records are one, and which change of many is meant.
 */
const passedBy = [
  'Answer a call in the browser',
  'Stream the calls of a browser phone',
  'Update a participant',
  'Delete a recording',
  'Get a conference',
  'Get a recording',
  'Get the audio of a recording',
  'Reject a call in the browser',
  'Stream requests, events and the inbox',
  'Stream to a webhook listener',
  ...[
    'Assign a conversation to a record',
    'Create a note in a conversation',
    'Send an answer by mail',
    'Send an answer by text',
  ],
  ...['Set whether a conversation is read', 'Set your presence in a conversation', 'Update a conversation'],
  'Merge companies',
  'Merge contacts',
  'Merge leads',
  'Merge tags',
  ...['Get an OAuth token', 'Who am I, for a person', 'Push a request for authorization'],
  ...['Ask a person without a browser', 'Get the state of a token', 'Revoke a token'],
  'Cancel a batch',
  'Start to revert a batch',
  ...['Verify a login', 'Reset a password', 'Look up an invitation', 'Accept an invitation', 'Decline an invitation'],
  ...['Update a second factor', 'Delete a second factor', 'Revoke a session'],
  ...['Revoke an authorization', 'Set the policy of a client', 'Delete a device', 'Get a hand-over'],
  ...['Log in with a link', 'Confirm a sign-up', 'Confirm another e-mail address', 'Revoke a change of e-mail address'],
  ...['Assign a mail to a lead or contact', 'Ignore a mail', 'Get a file of a mail that came in'],
  ...['Close the organization', 'Leave an organization', 'Start a transfer of ownership'],
  // They take the token of an operator.
  ...['List operators', 'Set an operator', 'Remove an operator', 'List what operators did'],
  ...['Get any organization', 'Update any organization', 'Suspend an organization', 'Resume an organization'],
  ...['Close an organization', 'Reopen an organization'],
  ...['Create an organization code', 'List organization codes', 'Remove an organization code'],
  'Get the status of the installation',
  ...['Get what is held and what waits', 'Hold everything that leaves', 'Release what is held'],
]
/** What cannot be made in test mode, there is no id of. */
const passedByInTestMode = [
  ...[
    'Add a folder to a collection',
    'Create a saved request',
    'Delete a collection',
    'Delete a folder of a collection',
    'Delete a saved request',
  ],
  ...['Delete an environment', 'Get a collection', 'Get a saved request', 'Get an environment', 'Update a collection'],
  ...['Update a saved request', 'Update an environment'],
  ...['Get a carrier', 'Update a carrier', 'Test a carrier', 'Delete a carrier'],
  ...['Get a trunk', 'Update a trunk', 'Test a trunk', 'Delete a trunk'],
  ...['Get a user', 'Update a user'],
  ...['Get a mail transport', 'Update a mail transport', 'Test a mail transport', 'Delete a mail transport'],
  'Revoke an invitation',
  ...['Get an audit stream', 'Update an audit stream', 'Delete an audit stream'],
  ...['Get an app', 'Update an app', 'Delete an app', 'Create a client secret', 'Delete a client secret'],
  ...['List authorizations of an app', 'List errors of an app', 'Revoke all tokens of an app'],
  ...['Get a role', 'Update a role', 'Delete a role', 'Get a team', 'Update a team', 'Delete a team'],
  ...['Set a member of a team', 'Remove a member of a team'],
  ...['Get what a user owns', 'List sessions of a user', 'Revoke sessions of a user', 'Remove a user'],
  'Reset the second factors of a user',
  ...['Get the link of an invitation', 'Send an invitation again', 'Get the file of an export'],
  ...['Get a domain', 'Verify a domain', 'Remove a domain'],
  ...['Get a single sign-on connection', 'Update a single sign-on connection', 'Test a single sign-on connection'],
  'Delete a single sign-on connection',
  ...['Get a mailbox', 'Update a mailbox', 'Test a mailbox', 'Delete a mailbox'],
  'Release a legal hold',
]
/** What only people have, there is no id of for a key; and what was done by then is not in a log yet. */
const passedByAKey = ['Log in', 'Refresh an access token', 'Confirm an authenticator app', 'Get an audit event']
/** How far a text, a call or an import has come when it is its turn is for chance: what is not refused has been answered as documented. */
const refused: Variables = {
  'Set tags of records': '422 tag_not_found',
  'Forward an event again': '422 webhook_event_not_forwarded',
  'Update an import': '409 import_state',
  'Check an import': '409 import_state',
  'Start an import': '409 import_state',
  'Cancel an import': '409 import_state',
  'Cancel a message': '409 not_cancelable',
  'Redact a message': '409 invalid_transition',
  'Command a call': '409 call_not_active',
  'Hang up a call': '409 call_not_active',
  'Hang up a call in the browser': '409 call_not_active',
  'Switch to another organization': '403 membership_required',
  'Step up a session': '422 invalid_second_factor',
  'Change the own password': '422 wrong_password',
  'Confirm an authenticator app': '422 invalid_second_factor',
  'Create recovery codes': '409 factor_required',
  'Log in with a passkey': '422 passkey_refused',
  'Create a passkey': '422 passkey_refused',
  'Sign up': '403 sign_up_closed',
  'Create an organization': '403 sign_up_closed',
  'Create an operator token': '403 not_operator',
  'Get the file of an export': '409 export_not_ready',
  'Get the archive of a person': '409 privacy_export_not_ready',
  'Send a mail again': '409 mail_not_repeatable',
  'Cancel a mail': '409 mail_not_waiting',
}
const live = (...names: string[]): Variables => Object.fromEntries(names.map(name => [name, '403 live_mode_required']))
const refusedInTestMode: Variables = {
  ...refused,
  ...live('Create a user', 'Create an invitation', 'Create an app', 'Update the organization'),
  ...live('Update the security policy', 'Update the policy of the audit log', 'Create an audit stream'),
  ...live("Erase a person's names from the audit log"),
  ...live('Create many invitations', 'Create a role', 'Create a team', 'Export the organization'),
  ...live('Accept the ownership', 'Decline the ownership', 'Undo the transfer of ownership'),
  ...live('Cancel the transfer of ownership', 'Reopen the organization', 'Preview a security policy'),
  ...live('Create an environment', 'Create a collection', 'Place a legal hold', 'Update the retention'),
  ...live('Add a domain', 'Create a single sign-on connection', 'Update SCIM'),
  'Create a mail transport': '422 mail_live_only',
  'Create a mailbox': '422 mail_live_only',
  'Send a verification code': '409 number_verification_unneeded',
  'Verify a number': '409 number_verification_unneeded',
  'Create a carrier': '409 carriers_live_only',
  'Create a trunk': '409 trunks_live_only',
}
const refusedInLiveMode: Variables = {
  ...refused,
  'Accept the ownership': '409 transfer_not_open',
  'Decline the ownership': '409 transfer_not_open',
  'Undo the transfer of ownership': '409 transfer_not_open',
  'Cancel the transfer of ownership': '409 transfer_not_open',
  'Reopen the organization': '409 organization_state_conflict',
  'Preview a security policy': '422 would_lock_out',
  'Reset the second factors of a user': '409 no_second_factor',
  'Send a verification code': '422 number_verification_unavailable',
  'Verify a number': '422 number_verification_wrong_code',
}
const ofPeople = [
  'Create a short-lived token of an API key',
  'Switch to another organization',
  'Step up a session',
  'Update the own account',
  'Get the own account',
  'Change the own password',
  'List sessions',
  'List organizations',
  'List second factors',
  'Create an authenticator app',
  'Start to add a passkey',
  'Create a passkey',
  'Create recovery codes',
  'Revoke all other sessions',
  ...['Request another e-mail address', 'List devices', 'Delete all devices'],
  ...['Create an organization', 'Create an operator token'],
]
const refusedAKey: Variables = Object.fromEntries(ofPeople.map(name => [name, '403 person_required']))

function check(names: readonly string[], ran: Ran, expected: { passed: readonly string[]; refused: Variables }): void {
  const passed = names.filter(name => !ran.has(name))
  assert.deepEqual(passed.sort(), [...expected.passed].sort())
  const odd = [...ran].filter(([name, answer]) => !/^2\d\d$/.test(answer) && expected.refused[name] !== answer)
  assert.deepEqual(odd, [])
}

/** `403 person_required`, or a status alone. */
function answerText(status: number, body: string): string {
  if (status < 400) return String(status)
  const { code, error } = JSON.parse(body)
  return `${status} ${code ?? error.code ?? error}`
}

type Started = { address: string; folder: string; key: string; login(mode: string): Variables }

/** The command in a fresh folder, with what its first start prints. */
async function start(context: TestContext): Promise<Started> {
  const folder = freshFolder()
  const server = await startServer(context, { env: { TANDEM_DATA: join(folder, 'data'), TANDEM_LOG_LEVEL: 'fatal' } })
  context.after(() => endServer(server))
  const text = server.stdout()
  const found = (pattern: RegExp) => pattern.exec(text)?.[1] ?? assert.fail(`no ${pattern} in ${text}`)
  const [key, password] = [found(/(tdm_test_\w+)/), found(/Password +(\S+)/)]
  const login = (mode: string) => ({ emailOrAdminId: 'admin@tandem.localhost', password, mode })
  return { address: server.address, folder, key, login }
}

async function exported({ address, folder }: Started, name: string): Promise<string> {
  const file = join(folder, `${name}.json`)
  const answer = await fetch(`${address}/exports/${name}.json`)
  assert.equal(answer.status, 200)
  writeFileSync(file, await answer.text())
  return file
}

const asked = (variables: Variables) =>
  Object.entries({ changeSettings: 'yes', ...variables }).flatMap(([name, value]) => ['--env-var', `${name}=${value}`])

async function byNewman(
  server: Started,
  variables: Variables,
  only: readonly string[] = [],
): Promise<{ names: string[]; ran: Ran }> {
  const file = await exported(server, 'postman')
  const report = join(server.folder, 'newman.json')
  const reported = ['--reporters', 'json', '--reporter-json-export', report, '--timeout-request', '20000']
  const { code, text } = await runPeer(newman!, ['run', file, ...only, ...asked(variables), ...reported])
  const { executions, failures } = JSON.parse(readFileSync(report, 'utf8')).run
  assert.deepEqual(failures.map(faultText), [], text)
  assert.equal(code, 0, text)
  const ran = new Map<string, string>()
  for (const { item, response } of executions)
    ran.set(item.name, answerText(response.code, Buffer.from(response.stream?.data ?? []).toString()))
  const folders = JSON.parse(readFileSync(file, 'utf8')).item as { item: { name: string }[] }[]
  return { names: folders.flatMap(({ item }) => item.map(({ name }) => name)), ran }
}

const faultText = ({ source, error }: { source?: { name: string }; error: Error }) =>
  `${source?.name}: ${error.message}`

async function byBruno(
  server: Started,
  variables: Variables,
  only: readonly string[] = [],
): Promise<{ names: string[]; ran: Ran }> {
  const file = await exported(server, 'bruno')
  const [collection, program, report] = ['bruno', 'import.cjs', 'report.json'].map(name =>
    join(server.folder, name),
  ) as [string, string, string]
  writeFileSync(program, importing)
  const made = await runPeer(program, [peersFolder, file, collection])
  assert.equal(made.code, 0, made.text)
  // Its other sandbox takes a quarter of a second for each script.
  const args = [
    'run',
    ...only,
    '-r',
    '--env',
    'Tandem',
    ...asked(variables),
    '--sandbox',
    'developer',
    '--reporter-json',
    report,
  ]
  const { code, text } = await runPeer(bruno!, args, { cwd: collection })
  const results = JSON.parse(readFileSync(report, 'utf8'))[0].results as BrunoResult[]
  const ran = new Map<string, string>()
  for (const { name, status, response, error } of results) {
    if (status === 'skipped') continue
    assert.equal(error ?? null, null, name)
    ran.set(name, answerText(response.status, JSON.stringify(response.data)))
  }
  assert.equal(code, 0, text.slice(-5_000))
  return { names: results.map(({ name }) => name), ran }
}

const forNewman = { skip: newman === undefined && missingPeer('newman'), timeout: 180_000 }
const inTestMode = { passed: [...passedBy, ...passedByInTestMode], refused: refusedInTestMode }

test('newman runs the Postman export: with a test key, and once more logged in', forNewman, async context => {
  const server = await start(context)
  const { names, ran } = await byNewman(server, { token: server.key })
  const passed = [...passedByAKey, ...inTestMode.passed]
  check(names, ran, { passed, refused: { ...refusedInTestMode, ...refusedAKey } })
  const again = await byNewman(server, server.login('test'))
  // The tag of the first run has that name.
  const taken = { 'Update a tag': '409 duplicate_record' }
  check(names, again.ran, { ...inTestMode, refused: { ...refusedInTestMode, ...taken } })
  assert.equal([...again.ran.keys()].at(-1), 'Log out')
})

const forBruno = { skip: bruno === undefined && missingPeer('bru'), timeout: 180_000 }

test('Bruno imports its export, and runs it', forBruno, async context => {
  const server = await start(context)
  const { names, ran } = await byBruno(server, server.login('test'))
  check(names, ran, inTestMode)
  assert.equal([...ran.keys()].at(-1), 'Log out')
})

/** A machine app of test mode that may read, as variables of a collection. */
async function oauthApp({ address, login }: Started): Promise<Variables> {
  const send = async (path: string, body: object, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.ok(answer.ok, path)
    return (await answer.json()) as { accessToken: string; data: { appId: string; clients: Client[]; secret: string } }
  }
  type Client = { mode: string; clientId: string }
  const { accessToken } = await send('/v1/api/auth/login', login('live'))
  const app = { name: 'Run', kind: 'machine', scopes: ['profile:read', 'organization:read'] }
  const { data } = await send('/v2/auth/apps', app, accessToken)
  const { data: made } = await send(`/v2/auth/apps/${data.appId}/secrets`, { mode: 'test' }, accessToken)
  const oauthClientId = data.clients.find(({ mode }) => mode === 'test')!.clientId
  return { oauthClientId, oauthClientSecret: made.secret }
}

/** What both are to answer of the two folders. */
function checkOAuth(ran: Ran): void {
  for (const name of ['Get an OAuth token', 'Get the state of a token', 'Register a client', 'Get the organization'])
    assert.match(ran.get(name) ?? '', /^20[01]$/, name)
  // An app that acts in its own name asks nobody.
  assert.equal(ran.get('Ask a person without a browser'), '400 unauthorized_client')
}

test('newman runs the Postman export in live mode', forNewman, async context => {
  const server = await start(context)
  const { names, ran } = await byNewman(server, server.login('live'))
  check(names, ran, { passed: passedBy, refused: refusedInLiveMode })
})

// Each has an app of its own.
test('on one server', { timeout: 2 * 180_000 }, async context => {
  const server = await start(context)
  await context.test('newman fetches an OAuth token, and what follows sends it', forNewman, async () => {
    const folders = ['--folder', 'OAuth 2.1', '--folder', 'Organization']
    checkOAuth((await byNewman(server, await oauthApp(server), folders)).ran)
  })
  await context.test('Bruno fetches an OAuth token, and what follows sends it', forBruno, async () => {
    checkOAuth((await byBruno(server, await oauthApp(server), ['OAuth 2.1', 'Organization'])).ran)
  })
})

type BrunoResult = {
  name: string
  status: string
  error?: string | null
  response: { status: number; data: unknown }
}

/** What Bruno's import does: looks whether it knows every field, and writes files. */
const importing = `
const [peers, file, folder] = process.argv.slice(2)
const from = name => require(peers + '/node_modules/@usebruno/' + name)
const collection = JSON.parse(require('node:fs').readFileSync(file, 'utf8'))
let ids = 0
const named = value => { value.uid = String(++ids).padStart(21, 'a'); return value }
const copy = named(structuredClone(collection))
const walk = item => {
  named(item)
  const { headers = [], params = [], body = {} } = item.request ?? {}
  for (const pair of [...headers, ...params, ...(body.formUrlEncoded ?? [])]) named(pair)
  for (const inner of item.items ?? []) walk(inner)
}
copy.items.forEach(walk)
for (const environment of copy.environments) named(environment).variables.forEach(named)
from('schema').collectionSchema.validate(copy)
  .then(() => { require('node:fs').mkdirSync(folder); return from('cli/src/utils/collection.js').createCollectionFromBrunoObject(collection, folder, { format: 'bru' }) })
  .catch(error => { console.error(error); process.exitCode = 1 })
`
