// What an opt-out looks like from outside, and in its events.
import { Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { resourceFields, shown } from '../../../kernel/resource/fields.ts'
import { type OptOutRow, optOutSources } from './rules.ts'

const optOutFields = resourceFields({
  optOutId: shown(Type.String({ description: 'Identifier, `opt_…`.' }), { column: 'id' }),
  scope: shown(
    Type.String({
      description: 'What the recipient gets nothing from: a messaging service with all its senders, or one sender.',
    }),
  ),
  recipient: shown(Type.String({ description: 'E.164.' })),
  source: shown(OneOf(optOutSources, { description: 'A word that the recipient sent, or this API.' })),
  keyword: shown(Nullable(Type.String({ description: 'The word, where it was one.' }))),
  createdAt: shown(Timestamp),
})

export const OptOut = optOutFields.Shown

/** An opt-out as the API and its events show it. */
export const presentOptOut = optOutFields.present

/** The word of an opt-out's two events, which are its whole story. */
export function optOutEvent(
  type: 'opt_out.created' | 'opt_out.deleted',
  row: OptOutRow,
  callbackUrl: string | null = null,
) {
  return { type, resourceId: row.id, data: presentOptOut(row), callbackUrl }
}
