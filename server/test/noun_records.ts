// Records of any noun: as its sample has them, with what this names made first; and many at once, made as requests make them and written
// by the one writer.
import { decideCreation } from '../src/kernel/noun/decide.ts'
import { takeIds } from '../src/kernel/noun/new_ids.ts'
import { fieldsOf, readBody } from '../src/kernel/noun/records.ts'
import { tableNamed } from '../src/kernel/noun/registry.ts'
import type { AnySpec } from '../src/kernel/noun/spec.ts'
import { readingOf } from '../src/kernel/noun/verbs_read.ts'
import { writeRecords } from '../src/kernel/noun/write.ts'
import type { TestApp } from './harness.ts'

/** Writes records of the main organization, in its live mode, by its Admin; their ids. */
export async function insertRecords(t: TestApp, one: string, bodies: readonly object[]): Promise<string[]> {
  const { db, authenticator, clock } = t.app.services
  const principal = await authenticator.authenticate(t.main.tokens.Admin, clock.now())
  const noun = tableNamed(one)
  const nowMs = clock.now()
  return db.inTenant(principal, async tx => {
    const ids = await takeIds(tx, noun, bodies.length)
    const writes = bodies.map(body => {
      const values = readBody(noun.spec, body as Record<string, unknown>, readingOf(principal))
      return decideCreation(noun, principal, values, {}, nowMs, { ids })
    })
    await writeRecords(tx, principal, noun, writes, { source: 'import', batchId: null, nowMs })
    return writes.map(({ after }) => after.id)
  })
}

type Body = Record<string, unknown>

/** The body of a creation: the sample, with a record of one's own in place of each that it names. */
export async function sampleBody(t: TestApp, as: string, spec: AnySpec): Promise<Body> {
  const body: Body = { ...spec.sample }
  for (const [name, { kind, of }] of fieldsOf(spec)) {
    if (body[name] === undefined) continue
    if (kind === 'record') body[name] = await makeSample(t, as, tableNamed('company').spec)
    if (kind === 'ref') body[name] = await makeSample(t, as, tableNamed(of!).spec)
  }
  return body
}

/** A new record like the sample; its id. */
export async function makeSample(t: TestApp, as: string, spec: AnySpec): Promise<string> {
  const [one, many] = spec.names
  const body = await sampleBody(t, as, spec)
  const headers = { 'x-duplicate-mode': 'off' }
  const { json, text } = await t.call('POST', `/v1/api/${many.replaceAll('_', '-')}`, { as, body, headers })
  if (json?.[one]?.id === undefined) throw new Error(`the sample of ${many} was not created: ${text}`)
  return json[one].id
}
