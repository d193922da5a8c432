// For tests of the demo company: an installation after its first start that can be filled, calls of its API, and what is in its
// tables.
import assert from 'node:assert/strict'
import pg from 'pg'
import { type App, createApp } from '../src/app.ts'
import { loadConfig } from '../src/config/config.ts'
import { type Demo, fillDemo } from '../src/demo/demo.ts'
import { firstStart } from '../src/first_start.ts'
import { type Instance, loadInstance } from '../src/kernel/boot/instance.ts'
import { systemClock } from '../src/kernel/values/clock.ts'
import { type FreshDatabase, freshDatabase, silentLog } from './cluster.ts'
import { testRootSource } from './root_key.ts'

export type Filled = Extract<Demo, { outcome: 'filled' }>
// biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into
export type Json = any

export const config = loadConfig({
  TANDEM_LOG_LEVEL: 'silent',
  TANDEM_RATE_LIMIT_IP: '1000000',
  TANDEM_RATE_LIMIT_KEY: '1000000',
  TANDEM_ADMIN_PASSWORD: 'correct horse battery staple',
})

const installations: Installation[] = []

/** An installation after its first start, without a server process. */
export type Installation = {
  database: FreshDatabase
  instance: Instance
  app: App
  owner: pg.Client
  fill(): Promise<Demo>
}

export async function install(): Promise<Installation> {
  const database = await freshDatabase()
  const instance = await loadInstance(database.owner, testRootSource)
  await firstStart(database.owner, instance, config, { log: silentLog, nowMs: systemClock.now() })
  const app = await createApp({ config, app: database.app, instance, clock: systemClock, log: silentLog })
  await app.http.ready()
  const owner = new pg.Client(database.owner)
  await owner.connect()
  const fill = () => fillDemo({ owner: database.owner, keyring: instance.keyring, clock: systemClock, log: silentLog })
  const installation = { database, instance, app, owner, fill }
  installations.push(installation)
  return installation
}

export type Call = (method: string, path: string, as?: string, body?: object) => Promise<{ status: number; json: Json }>
export function callOn({ app }: Installation): Call {
  return async (method, path, as, body) => {
    const response = await app.http.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return { status: response.statusCode, json: response.body === '' ? undefined : JSON.parse(response.body) }
  }
}

export async function logIn(call: Call, emailOrAdminId: string, password: string): Promise<string> {
  const { status, json } = await call('POST', '/v1/api/auth/login', undefined, { emailOrAdminId, password })
  assert.equal(status, 200, `${emailOrAdminId} cannot log in`)
  return json.accessToken
}

/** Ends what a file has installed. */
export async function endInstallations(): Promise<void> {
  for (const { app, owner, database } of installations.splice(0)) {
    await owner.end()
    await app.stop()
    await database.drop()
  }
}

export async function rowsOf<Row extends pg.QueryResultRow = Json>(
  { owner }: Installation,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return (await owner.query<Row>(text, values)).rows
}

const filledTables =
  'users api_keys leads companies contacts notes tasks tags record_tags record_keys changes noun_counts invoices invoice_lines payments messages calls events'

export async function countAll(installation: Installation): Promise<Record<string, number>> {
  const counts = filledTables.split(' ').map(table => `(select count(*) from ${table}) as ${table}`)
  return (await rowsOf(installation, `select ${counts.join(', ')}`))[0]
}

/** All items of a v2 list, page by page. */
export async function listAll(call: Call, path: string, as: string): Promise<Json[]> {
  const items: Json[] = []
  for (let cursor = ''; ; ) {
    const { status, json } = await call('GET', `${path}?limit=200${cursor}`, as)
    assert.equal(status, 200)
    items.push(...json.data)
    const { nextCursor } = json.meta.pagination
    if (nextCursor === null) return items
    cursor = `&cursor=${encodeURIComponent(nextCursor)}`
  }
}
