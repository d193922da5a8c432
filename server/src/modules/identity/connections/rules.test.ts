// What counts of what a provider says of how it proved a person.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStrong } from './rules.ts'

test('a provider vouches for a second factor by values that the connection names, and by nothing else', () => {
  const connection = { strong_methods: ['mfa', 'urn:example:gold'] }
  for (const claims of [{ amr: ['pwd', 'mfa'] }, { acr: 'urn:example:gold' }, { amr: 'mfa' }])
    assert.equal(isStrong(connection, claims), true, JSON.stringify(claims))
  const weak = [
    {},
    { amr: ['pwd'] },
    { amr: [true, 1, null] },
    { acr: 'urn:example:goldish' },
    { mfa: true },
    { amr: { mfa: 1 } },
  ]
  for (const claims of weak) assert.equal(isStrong(connection, claims), false, JSON.stringify(claims))
  assert.equal(isStrong({ strong_methods: [] }, { amr: ['mfa'], acr: 'mfa' }), false)
})
