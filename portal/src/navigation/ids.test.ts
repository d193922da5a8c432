// Every id that the API hands out is known to the inspector, the palette and the links: the list is held against the API's own description.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { idPrefixes, kindOfId } from './ids.ts'

/** Ids by which nothing can be read. */
const unreadable: Readonly<Record<string, string>> = {
  ase: 'a seal of the audit log, which is listed with the others',
  dom: 'a domain, which is listed with the others',
  sgr: 'a group of a provider, which is listed with the others',
  sso: 'an identity provider, which is listed with the others',
  cmd: 'a command, which is read in the history of its call',
  fac: 'a second factor, which its owner sees among the others',
  gra: 'an authorization, which is listed with the others',
  inv: 'an invitation, which is listed with the others',
  lgn: 'a session, which its owner sees among the others',
  dev: 'a browser, which its owner sees among the others',
  own: 'an offer of the ownership, which the organization has one of',
  oer: 'an error of an app, which the app lists with the others',
  oex: 'an archive of the organization, which is listed with the others',
  ope: 'an act of an operator, which operators list',
  osc: 'a secret, which its app shows',
  ses: 'what a refresh token is of',
  oco: 'a code to sign up, which operators list',
  dyn: 'a client that registered itself, which is listed with the clients',
  kid: 'a key that tokens are signed with',
  sim: 'what the simulator calls a message, as any carrier does',
  cnv: 'a conversation, which has a page in the inbox',
  env: 'an environment, which the Playground lists',
  col: 'a collection, which the Playground lists',
  fld: 'a folder of a collection',
  srq: 'a saved request, which its collection shows',
  lsn: 'a listener, which webhooks list while it listens',
  sup: 'a suppression, which is listed with the others',
  dsr: 'a request of a person, which is listed with the others',
  node: 'a process of the server, which the status of the installation lists',
  lgh: 'a legal hold, which is listed with the others',
}

const document = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8').replaceAll('\\n', ' ')
/** Of patterns, `^msg_[0-7]…`, and of samples, `msg_01k9…`. */
const handedOut = new Set(
  [...document.matchAll(/\b([a-z]+)_(?:\[0-[79]|[0-7][0-9a-hjkmnp-tv-z]{25}\b)/g)].map(([, one]) => one!),
)

test('every prefix of the API is known, and no other', () => {
  assert.ok(handedOut.size > 20, 'the description was not read')
  assert.deepEqual([...handedOut].filter(prefix => !(prefix in unreadable)).sort(), idPrefixes.toSorted())
})

test('an id is known by its form alone', () => {
  const digits = '01k9r7d3w2v8e6q4n5m1b0c9xz'
  for (const prefix of idPrefixes) assert.notEqual(kindOfId(`${prefix}_${digits}`), undefined, prefix)
  assert.deepEqual(
    [kindOfId(`sipc_${digits}`), kindOfId('lead:12'), kindOfId('invoice:5')],
    ['sip_credential', 'lead', 'invoice'],
  )
  for (const none of [`cmd_${digits}`, `msg_${digits}0`, 'msg_', 'lead:0', 'user:1', digits])
    assert.equal(kindOfId(none), undefined, none)
})
