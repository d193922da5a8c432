// What a noun's endpoints are called, and the example that their documents show.
import { withArticle } from '@tandem/catalog/plural'
import type { Permission } from '../values/noun.ts'
import { Problem } from '../values/problem.ts'
import type { NounRecord } from './field.ts'
import { idsOf, recordIdOf } from './record_ids.ts'
import { emptyValues, readBody, showRecord } from './records.ts'
import { words } from './schemas.ts'
import type { Actor, AnySpec, Verb } from './spec.ts'

export type Names = {
  common: { version: 'v1'; category: AnySpec['category']; envelope: 'success'; rowKind?: string }
  /** `/api/companies` */
  path: string
  id(verb: Verb): string
  permission(right: 'read' | 'create' | 'update' | 'delete'): Permission
  oneWords: string
  manyWords: string
  /** Companies */
  Many: string
  /** a company */
  aOne: string
  sampleId: string | number
  /** Of another one, where several are named. */
  otherId: string | number
  /** What the API shows of the sample. */
  sampleRecord: Record<string, unknown>
}

const sampleTime = '2026-11-21T08:44:00.123Z'
const sampleDigits = '01k9r7d3w2v8e6q4n5m1b0c9xz'

export function namesOf(spec: AnySpec): Names {
  const [one, many] = spec.names
  const [oneWords, manyWords] = [words(one), words(many)]
  const [sampleId, otherId] =
    spec.prefix === undefined
      ? [17, 9]
      : [`${spec.prefix}_${sampleDigits}`, `${spec.prefix}_${sampleDigits.slice(0, -1)}1`]
  return {
    common: { version: 'v1', category: spec.category, envelope: 'success', ...(spec.rows && { rowKind: many }) },
    path: `/api/${many.replaceAll('_', '-')}`,
    id: verb => `${many}.${verb}`,
    permission: right => `${many}:${right}` as Permission,
    oneWords,
    manyWords,
    Many: manyWords.charAt(0).toUpperCase() + manyWords.slice(1),
    aOne: withArticle(oneWords),
    sampleId,
    otherId,
    sampleRecord: sampleOf(spec, recordIdOf(idsOf(spec), sampleId)),
  }
}

/** The record that the sample of the noun makes. @throws Error where the noun refuses it */
function sampleOf(spec: AnySpec, id: string): Record<string, unknown> {
  const reading = { defaultCountry: null, currency: 'USD', timeZone: 'UTC', userId: 1 }
  const stamps = { id, tenant_id: 1, version: 1, created_at: sampleTime, updated_at: sampleTime, deleted_at: null }
  const actor = { userId: 1, role: 'Admin', settings: reading, nowMs: Date.parse(sampleTime) } as unknown as Actor
  try {
    const values = { ...emptyValues(spec), ...readBody(spec, spec.sample as Record<string, unknown>, reading) }
    const draft = { ...stamps, ...values } as NounRecord
    return showRecord(spec, { ...draft, ...spec.create?.(draft, {}, actor).set, ...spec.sampleShown })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Error(
      `The sample of ${spec.names[1]} is refused by its own noun: ${error.message}. Change \`sample\`; of a reference any id will do, such as cmp_${sampleDigits}.`,
    )
  }
}
