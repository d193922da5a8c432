// The house rules about its structure that a machine can hold: no circles, rooms that point one way, leaves that meet by their
// index, SQL in stores only, nothing in src that only tests reach, functions that fit a screen.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { functionLengths } from '../../scripts/function_lengths.ts'
import { importsOf } from '../../scripts/imports.ts'
import { nouns } from '../src/nouns.ts'
import { longFunctions } from './long_functions.ts'
import { nounIn, nounsNamedIn } from './named_nouns.ts'
import { isTest, root, sources, textOf } from './sources.ts'

const importsAt = new Map([...textOf].map(([file, text]) => [file, importsOf(file, text).filter(to => textOf.has(to))]))

/** Circles of a graph: its strongly connected parts of more than one (Tarjan 1972). */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const places = new Map<string, { index: number; low: number; isOpen: boolean }>()
  const open: string[] = []
  const visit = (file: string) => {
    const place = { index: places.size, low: places.size, isOpen: true }
    places.set(file, place)
    open.push(file)
    for (const target of graph.get(file) ?? []) {
      const known = places.get(target) ?? visit(target)
      if (known.isOpen) place.low = Math.min(place.low, known.low)
    }
    if (place.low === place.index) {
      const part = open.splice(open.indexOf(file))
      for (const member of part) places.get(member)!.isOpen = false
      if (part.length > 1) circles.push(part)
    }
    return place
  }
  for (const file of graph.keys()) if (!places.has(file)) visit(file)
  return circles
}

test('circles are found', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', ['e']],
    ['e', []],
  ])
  assert.deepEqual(circlesIn(graph), [['a', 'b', 'c']])
})

test('no file imports itself by way of others, types included', () => {
  const circles = circlesIn(importsAt)
  assert.deepEqual(circles, [], 'what two files share belongs in a third')
})

/** Folders whose rooms stand one above the other: a room imports from those named before it, and from itself. */
const storeys: Record<string, readonly string[]> = {
  'server/src/kernel': [
    'values',
    'observe',
    'data',
    'access',
    'audit',
    'boot',
    'objects',
    'backup',
    'outbound',
    'endpoint',
    'resource',
    'noun',
    'jobs',
    'links',
    'documents',
    'request_log',
    'http',
  ],
  'portal/src/playground': [
    // What all of them say.
    'messages',
    'texts.ts',
    'request',
    'json',
    'kept',
    'body',
    'sending',
    'tests',
    'collections',
    'editor',
    'state',
    'parts',
    'drawers',
    'request_panel',
    'response_panel',
    'runner',
  ],
}

for (const [folder, rooms] of Object.entries(storeys)) {
  test(`the rooms of ${folder} import downwards only`, () => {
    const roomOf = (file: string) => file.slice(folder.length + 1).split('/')[0] as string
    const inside = [...importsAt].filter(([file]) => file.startsWith(`${folder}/`) && !isTest(file))
    for (const [file, targets] of inside) {
      const room = roomOf(file)
      if (room.includes('.')) continue
      assert.ok(rooms.includes(room), `${folder}/${room} has no place among ${rooms.join(', ')}`)
      for (const target of targets.filter(to => to.startsWith(`${folder}/`))) {
        assert.ok(
          rooms.indexOf(roomOf(target)) <= rooms.indexOf(room) && rooms.includes(roomOf(target)),
          `${file} imports ${target}, which stands above it`,
        )
      }
    }
  })
}

/** From the top; what stands in none of these is a screen, or a room of several screens. */
test('the rooms of the portal import downwards only', () => {
  const low = ['words', 'problems', 'ui', 'session', 'navigation', 'data', 'forms']
  const levelOf = (file: string) => {
    const room = file.slice('portal/src/'.length).split('/')[0] as string
    const level = low.indexOf(room)
    if (level !== -1) return level
    return room === 'app' || room.includes('.') ? low.length + 1 : low.length
  }
  for (const [file, targets] of importsAt) {
    if (!file.startsWith('portal/src/') || isTest(file)) continue
    for (const target of targets.filter(to => to.startsWith('portal/src/')))
      assert.ok(levelOf(target) <= levelOf(file), `${file} imports ${target}, which stands above it`)
  }
})

test('leaves of a module meet by their index only', () => {
  const faults: string[] = []
  for (const [file, targets] of importsAt) {
    const [, module, leaf] = /^server\/src\/modules\/(\w+)\/(\w+)\//.exec(file) ?? []
    if (module === undefined || isTest(file)) continue
    for (const target of targets) {
      const [, otherModule, otherLeaf, rest] = /^server\/src\/modules\/(\w+)\/(\w+)\/(.+)$/.exec(target) ?? []
      if (otherModule !== module || otherLeaf === leaf) continue
      if (rest !== 'index.ts') faults.push(`${file} imports ${target}`)
    }
  }
  assert.deepEqual(faults, [], 'what other leaves may use stands in index.ts')
})

/** A template of SQL, a statement as text, a call of the query builder. */
const sqlPattern =
  /\bsql(?:<[^`]*>)?`|['"`]\s*(?:select|insert into|update \w+ set|delete from|with \w+ as)\s|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(/i

test('SQL stands in stores, and in the rooms of the kernel that keep data', () => {
  const faults: string[] = []
  const isFree = (file: string) => /^server\/src\/(kernel|demo)\/|^server\/src\/\w+\.ts$/.test(file)
  for (const [file, text] of textOf) {
    if (!file.startsWith('server/src/') || isTest(file) || isFree(file) || file.endsWith('store.ts')) continue
    if (sqlPattern.test(text)) faults.push(`${file}: ${sqlPattern.exec(text)?.[0]}`)
  }
  assert.deepEqual(faults, [], 'SQL belongs in a store.ts beside what needs it')
})

test('nothing stands in src that only tests reach', () => {
  const starts = [
    'server/src/main.ts',
    // What PostgreSQL runs for each file of its WAL.
    'server/src/kernel/backup/continuous/program.ts',
    'portal/src/main.tsx',
    'sdk/src/index.ts',
    'packages/cli/src/main.ts',
    ...globSync('packages/*/src/index.ts', { cwd: root }),
    // What the build of the portal takes: the texts of each language, and what it puts around each import().
    ...globSync('portal/src/**/messages/{en,de}.ts', { cwd: root }),
    'portal/src/words/with_words.ts',
  ]
  const reached = new Set(starts)
  for (const file of reached) for (const target of importsAt.get(file) ?? []) reached.add(target)
  const isProduct = (file: string) => /^(server|portal|sdk|packages\/\w+)\/src\//.test(file) && !isTest(file)
  const lost = sources.filter(file => isProduct(file) && !reached.has(file))
  assert.deepEqual(lost, [], 'what only tests need is in a test folder')
})

test('functions take at most 80 lines; the list of longer ones only shrinks', () => {
  const found: Record<string, number> = {}
  for (const [file, text] of textOf) {
    if (isTest(file) || text.split('\n').length <= 80) continue
    for (const { name, lines } of functionLengths(text, file)) if (lines > 80) found[`${file} ${name}`] = lines
  }
  for (const [name, lines] of Object.entries(found)) {
    const allowed = longFunctions[name]
    assert.ok(allowed !== undefined, `${name} has ${lines} lines, more than the 80 that fit a screen: part it`)
    assert.ok(lines <= allowed, `${name} grew from ${allowed} to ${lines} lines: part it instead`)
  }
  for (const [name, allowed] of Object.entries(longFunctions)) {
    assert.equal(found[name] ?? 0, allowed, `${name} became shorter: say so in long_functions.ts, or take it out there`)
  }
})

/** Words of nouns that the kernel has for things of its own: a call of a function, the message of an error, … */
const kernelWords = [
  // What acts, in the audit log.
  'scim',
  'role',
  'team',
  'login',
  'user',
  'organization',
  'api_key',
  'request',
  'event',
  'number',
  'usage',
  'call',
  'message',
  'phone',
  'destination',
  'instruction',
  // The Contact Center is a category.
  'contact',
  // Marks in headers of HTTP, and what every noun can be filtered by.
  'tag',
  'note',
  // The log of who did what, which the kernel writes and the noun shows.
  'audit',
  // The word of HTTP for what browsers save.
  'attachment',
  'task',
  'record_tag',
  // Addresses of people are e-mail addresses.
  'mail',
  // A source of requests.
  'playground',
]
const nounNames = [
  ...Object.keys(nouns)
    .map(nounIn)
    .filter(noun => !kernelWords.includes(noun)),
  ...['sip', 'webrtc', 'rtp', 'softphone', 'handset', 'speech'],
]

test('nouns are found in names and texts', () => {
  const source =
    "// a lead\nconst leadId = 1\nthrow new Problem('invoice_locked')\ntype SipCredential = isIPv4 | 'misleading'\n"
  assert.deepEqual(nounsNamedIn(source, nounNames), ['invoice', 'lead', 'sip_credential'])
})

/** What the kernel still names. The list only shrinks. */
const stillNamed: Record<string, readonly string[]> = {
  // A setting of the organization that its principal carries.
  'server/src/kernel/access/principal.ts': ['invoice'],
  // The header names of Standard Webhooks, and the table of secrets they are signed with.
  'server/src/kernel/data/signature.ts': ['webhook'],
  'server/src/kernel/documents/sent_request.ts': ['webhook'],
  // What the categories hold, and the field `webhooks` of OpenAPI.
  'server/src/kernel/documents/openapi.ts': ['conversation', 'invoice', 'lead', 'payment', 'speech', 'webhook'],
  // The setting to correct where the bucket is not there.
  'server/src/kernel/objects/s3_request.ts': ['recording'],
  // Points of a process that tests end it at.
  'server/src/kernel/values/crash_points.ts': ['webhook'],
}

test('the kernel names no noun: it knows them by what they declare', () => {
  const found: Record<string, readonly string[]> = {}
  for (const [file, text] of textOf) {
    if (!file.startsWith('server/src/kernel/') || isTest(file)) continue
    const names = nounsNamedIn(text, nounNames)
    if (names.length > 0) found[file] = names
  }
  assert.deepEqual(
    found,
    stillNamed,
    'declare it in the noun, or hand it in; a word that the kernel has for something else too goes into kernelWords',
  )
})

/** What still reads cursors or checks versions by itself, and why. The list only shrinks. */
const byHand: Record<string, string> = {
  'server/src/modules/audit/chain_endpoints.ts': 'a log: nothing in it is set up',
  'server/src/modules/audit/endpoints.ts': 'a log: nothing in it is set up',
  'server/src/modules/audit/policy_endpoints.ts': 'there is one, which has no id in paths',
  'server/src/modules/privacy/retention/endpoints.ts': 'there is one, which has no id in paths',
  'server/src/modules/privacy/requests/endpoints.ts': 'requests are jobs with states of their own',
  'server/src/modules/privacy/holds/endpoints.ts': 'a hold is placed and released, and never changed or deleted',
  'server/src/modules/conversations/change_endpoints.ts': 'conversations begin by themselves, and are never deleted',
  'server/src/modules/developer/events/endpoints.ts': 'a log: nothing in it is set up',
  'server/src/modules/developer/playground/collection_endpoints.ts':
    'folders are put into a collection and taken out of it one by one',
  'server/src/modules/developer/requests/endpoints.ts': 'a log: nothing in it is set up',
  'server/src/modules/finance/invoices/endpoints.ts': 'invoices keep the endpoints of their contract',
  'server/src/modules/finance/payments/endpoints.ts': 'a payment is of the version of its invoice',
  'server/src/modules/identity/api_keys/endpoints.ts': 'keys are of the organization, and are ended, not deleted',
  'server/src/modules/identity/oauth/app_endpoints.ts': 'apps are of the organization, with a client in each tenant',
  'server/src/modules/identity/oauth/error_endpoints.ts': 'what apps did wrong happens, nobody sets it up',
  'server/src/modules/identity/oauth/grant_endpoints.ts': 'what people let clients do is ended, not set up',
  'server/src/modules/identity/operator/code_endpoints.ts': 'codes are of no organization, and are used, not changed',
  'server/src/modules/identity/operator/people_endpoints.ts': 'what operators did is a log',
  'server/src/modules/identity/organizations/endpoints.ts': 'there is one, which has no id in paths',
  'server/src/modules/identity/invitations/endpoints.ts': 'invitations are answered, not changed or deleted',
  'server/src/modules/identity/roles/endpoints.ts':
    'the four that everybody has are listed with those of the organization',
  'server/src/modules/identity/teams/endpoints.ts': 'members are put into a team and taken out of it one by one',
  'server/src/modules/identity/scim/endpoints.ts': 'there is one, which has no id in paths',
  'server/src/modules/identity/security/endpoints.ts': 'there is one, which has no id in paths',
  'server/src/modules/identity/users/endpoints.ts': 'users keep the endpoints of their contract',
  'server/src/modules/mail/inbound/read_endpoints.ts': 'mails that came in are a log',
  'server/src/modules/mail/mails/read_endpoints.ts': 'mails are a log',
  'server/src/modules/identity/members/endpoints.ts': 'hand-overs are jobs with states of their own',
  'server/src/modules/messaging/sms/read_endpoints.ts': 'messages are a log',
  'server/src/modules/records/batches/endpoints.ts': 'what was done is listed and taken back, not set up',
  'server/src/modules/records/imports/asked.ts': 'a job with states of its own',
  'server/src/modules/records/imports/endpoints.ts': 'a job with states of its own',
  'server/src/modules/records/views/endpoints.ts': 'those of others are seen where they are shared',
  'server/src/modules/webhooks/delivery_endpoints.ts': 'deliveries are a log',
  'server/src/modules/webhooks/listener_endpoints.ts': 'what was forwarded is a log',
}

test('what is set up has its cursors and versions from the kernel', () => {
  const found = [...textOf]
    .filter(
      ([file, text]) =>
        /^server\/src\/modules\//.test(file) && !isTest(file) && /\b(cursorId|requireVersion)\(/.test(text),
    )
    .map(([file]) => file)
  assert.deepEqual(found.sort(), Object.keys(byHand).sort(), 'declare a noun() or a resource(), or say why not')
})

test('each screen of the portal declares itself in its folder, and is in the one list', () => {
  const declared = sources.filter(file => /^portal\/src\/\w+\/screen\.ts$/.test(file) && !file.includes('/navigation/'))
  const listed = (importsAt.get('portal/src/app/screens.ts') ?? []).filter(to => declared.includes(to))
  assert.deepEqual(listed.sort(), declared.sort(), 'portal/src/app/screens.ts lists them all')
  for (const file of declared) {
    const folder = file.replace(/screen\.ts$/, '')
    const others = (importsAt.get(file) ?? []).filter(
      to => !to.startsWith(folder) && to !== 'portal/src/navigation/screen.ts',
    )
    assert.deepEqual(others, [], `${file} is known before anything of its screen is loaded`)
  }
})

test('each noun.ts imports nothing but the kernel and its own rules, and is gathered', () => {
  const declared = sources.filter(file => file.endsWith('/noun.ts') && file.startsWith('server/src/modules/'))
  assert.deepEqual(
    ['server/src/nouns.ts', 'server/src/record_nouns.ts']
      .flatMap(list => importsAt.get(list) ?? [])
      .filter(to => to.endsWith('/noun.ts') && !to.includes('/kernel/'))
      .sort(),
    declared.sort(),
    'name it in server/src/record_nouns.ts, or in server/src/nouns.ts where it is no noun({…})',
  )
  for (const file of declared) {
    const own = file.replace(/noun\.ts$/, 'rules.ts')
    const others = (importsAt.get(file) ?? []).filter(
      to => !/^server\/src\/kernel\/(values|noun)\//.test(to) && to !== own,
    )
    assert.deepEqual(others, [], `${file} declares; what it declares with is in the kernel`)
  }
})
