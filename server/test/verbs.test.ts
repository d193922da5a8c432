// One verb an operation, in the titles of endpoints: Create, List, Get, Update, Delete for records, the field's word where an
// operation is no such change. What each method may be called stands here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from '../src/catalog.ts'

const verbs: Record<string, readonly string[]> = {
  GET: ['Get', 'List', 'Search', 'Look up', 'Stream', 'Audit', 'Export'],
  PUT: ['Set'],
  PATCH: ['Update'],
  // What stays readable is not deleted: it is redacted, revoked, or put back to what it was by itself.
  DELETE: ['Delete', 'Redact', 'Revoke', 'Reset', 'Remove', 'Leave'],
  POST: [
    ...[
      'Create',
      'Restore',
      'Merge',
      'Convert',
      'Update many',
      'Send',
      'Cancel',
      'Test',
      'Rotate',
      'Replay',
      'Record',
      'Reverse',
      'Preview',
      'Check',
      'Verify',
      'Confirm',
      'Step up',
      'Request',
      'Reset',
      'Revoke',
      'Look up',
      'Accept',
      'Decline',
      'Switch',
      'Erase',
      'Undo',
      'Set tags of',
      'Hand in',
      'Assign',
      'Ignore',
      'Forward',
      'Report',
    ],
    ...['Sign up', 'Suspend', 'Resume', 'Close', 'Reopen', 'Export'],
    ...['Log in', 'Log out', 'Refresh', 'Inject', 'Start', 'Answer', 'Reject', 'Hang up', 'Command'],
  ],
}

/** A number or a domain is there before it is added and after it is released; the others are what people look for. */
const named: Record<string, string> = {
  'numbers.create': 'Add a number',
  'numbers.delete': 'Release a number',
  'organization_domains.create': 'Add a domain',
  'organization_domains.delete': 'Remove a domain',
  'webhook_listeners.end': 'End a webhook listener',
  'people.find': 'Find people by their addresses',
  'collections.add_folder': 'Add a folder to a collection',
  'auth.me': 'Who am I',
  'legal_holds.place': 'Place a legal hold',
  'operator_sending.hold': 'Hold everything that leaves',
  'operator_sending.release': 'Release what is held',
  'legal_holds.release': 'Release a legal hold',
  'privacy_requests.create': "Export or erase a person's data",
  'account.change_password': 'Change the own password',
}

test('titles of endpoints begin with a verb of their method', () => {
  for (const { id, method, name } of catalog) {
    if (id in named) assert.equal(name, named[id])
    else
      assert.ok(
        verbs[method]?.some(verb => name === verb || name.startsWith(`${verb} `)),
        `${id}: ${method} ${name}`,
      )
  }
})

test('ids and titles of the five operations on a record agree', () => {
  const titles: Record<string, string> = {
    create: 'Create',
    list: 'List',
    get: 'Get',
    update: 'Update',
    delete: 'Delete',
  }
  const others: Record<string, string> = {
    ...named,
    'calls.create': 'Start a call',
    'mails.create': 'Send a mail',
    'mails.get': 'Get a mail and its attempts',
    'organization_exports.create': 'Export the organization',
    'payments.create': 'Record a payment',
    'catalog.list': 'Search the endpoint catalog',
    'destination_policies.delete': 'Reset a destination policy',
  }
  for (const { id, name } of catalog) {
    const title = titles[id.split('.').at(-1) as string]
    if (title === undefined) continue
    assert.ok(id in others ? name === others[id] : name.startsWith(`${title} `), `${id}: ${name}`)
  }
})
