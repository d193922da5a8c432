// For tests of those who run the installation: an operator with a second factor, and its token.
import assert from 'node:assert/strict'
import type { TestApp } from './harness.ts'
import { type Strong, strongSomebody } from './people.ts'

/** A person of the main organization who runs the installation. */
export async function newOperator(
  t: TestApp,
  level: 'support' | 'full' = 'full',
): Promise<Strong & { token: string; accountId: number }> {
  const person = await strongSomebody(t)
  const [row] = await t.ownerSql<{ id: number }>('select id::int as id from accounts where email = $1', [person.email])
  await t.ownerSql('insert into operators (account_id, level) values ($1, $2)', [row?.id, level])
  const { json, text } = await t.call('POST', '/v2/operator/tokens', { as: person.as })
  assert.ok(json.data?.token, text)
  return { ...person, token: json.data.token, accountId: Number(row?.id) }
}

export async function operatorToken(t: TestApp, level: 'support' | 'full' = 'full'): Promise<string> {
  return (await newOperator(t, level)).token
}
