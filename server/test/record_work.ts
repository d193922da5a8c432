// What tests of imports and batches share: a file that is sent, and the worker that does what there is.
import { newId } from '../src/kernel/values/ids.ts'
import { changeRecords } from '../src/modules/records/batches/jobs.ts'
import type { Answer, CallOptions, TestApp } from './harness.ts'

/** Sends a file to be imported. */
export async function sendFile(
  t: TestApp,
  noun: string,
  csv: string | Buffer,
  { as = t.main.tokens.Admin, headers = {} }: Pick<CallOptions, 'as' | 'headers'> = {},
): Promise<Answer> {
  const response = await t.app.http.inject({
    method: 'POST',
    url: `/v1/api/imports?noun=${noun}`,
    headers: { 'content-type': 'text/csv', authorization: `Bearer ${as}`, ...headers },
    payload: csv,
  })
  const { statusCode: status, body: text } = response
  return { status, text, json: response.json(), headers: response.headers as Record<string, string> }
}

/** Lets the worker do what there is. */
export async function workOnRecords(t: TestApp): Promise<void> {
  const queue = changeRecords(t.app.services)
  for (;;) {
    const token = newId('lse')
    const jobs = await queue.claim(token, 10)
    if (jobs.length === 0) return
    await queue.work(jobs, token, () => false)
  }
}

/** Imports a file with these options; the import when it is over. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export async function importFile(t: TestApp, noun: string, csv: string, change?: object): Promise<any> {
  const as = t.main.tokens.Admin
  const { json } = await sendFile(t, noun, csv)
  const path = `/v1/api/imports/${json.import.id}`
  if (change !== undefined) await t.call('PATCH', path, { as, body: change })
  await t.call('POST', `${path}/run`, { as })
  await workOnRecords(t)
  return (await t.call('GET', path, { as })).json.import
}
