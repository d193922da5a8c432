// Records that are the same as one that is there: what its page warns of, and what a merge begins with.
import { Type } from 'typebox'
import { type Endpoint, endpoint } from '../endpoint/endpoint.ts'
import { findDuplicates, matchKeys, shownDuplicates } from './duplicates.ts'
import type { Names } from './noun_names.ts'
import type { NounTable } from './registry.ts'
import { duplicatesSchema, paramsSchema, pathId } from './schemas.ts'
import { findRecord } from './verbs_read.ts'

export function duplicatesEndpoint(noun: NounTable, names: Names): Endpoint {
  const { spec } = noun
  return endpoint({
    ...names.common,
    id: names.id('duplicates'),
    method: 'GET',
    path: `${names.path}/{id}/duplicates`,
    name: `List duplicates of ${names.aOne}`,
    description: `${names.Many} that are the same by ${(spec.match ?? []).join(', ')}. They are merged, or left as they are.`,
    permission: names.permission('read'),
    logBody: 'refusals',
    params: paramsSchema(spec),
    reply: Type.Object({ duplicates: duplicatesSchema(spec) }),
    problems: ['not_found'],
    sample: {
      params: { id: names.sampleId },
      reply: {
        duplicates: [
          {
            id: names.otherId,
            title: String(names.sampleRecord[spec.title]),
            matched_by: spec.match?.[0] ?? spec.title,
          },
        ],
      },
    },
    async handle({ tx, params, principal }) {
      const record = await findRecord(tx, principal, noun, pathId(spec, params))
      const found = await findDuplicates(tx, principal, noun, matchKeys(noun, record), record.id)
      return { duplicates: shownDuplicates(spec, found) }
    },
  })
}
