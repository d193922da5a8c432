// For tests of users: an Admin who makes and changes them, no matter who they are made to be, and who is refused.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import { type Answer, type CallOptions, startTestApp, testPassword } from './harness.ts'

export async function refused(answering: Promise<Answer>, status: number, code: string): Promise<Answer> {
  const answer = await answering
  assert.equal(answer.json.code, code, answer.text)
  assert.equal(answer.status, status)
  return answer
}

/** What a file of tests begins with: an application, closed after the last test, and its first organization's Admin. */
export async function startUsers() {
  const t = await startTestApp()
  after(() => t.close())
  const admin = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
    t.call(method, `/v1/api/users${path}`, { as: t.main.tokens.Admin, body, ...options })

  const login = (emailOrAdminId: string, password = testPassword) =>
    t.call('POST', '/v1/api/auth/login', { body: { emailOrAdminId, password }, ip: '192.0.2.9' })

  const meStatus = async (as: string) => (await t.call('GET', '/v1/api/auth/me', { as })).status

  async function newUser(fields: object = {}) {
    const body = {
      email: `${randomUUID()}@example.com`,
      name: 'Grace Hopper',
      role: 'Sales Manager',
      password: testPassword,
      temporaryPassword: false,
      ...fields,
    }
    const answer = await admin('POST', '', body)
    assert.equal(answer.status, 201, answer.text)
    return answer.json.user as { id: number; email: string; admin_id: string | null; version: number }
  }

  return { t, admin, login, meStatus, newUser }
}
