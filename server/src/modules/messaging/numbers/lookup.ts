// Looks a telephone number up: what the numbering plans say of it, and what the organization knows of it. No network is
// asked, and the answer names what only a network could know.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { readTelephone } from '../addresses.ts'
import { listOptOutsOf } from '../opt_outs/index.ts'
import { findNumberByAddress } from './store.ts'

const numberTypes = [
  'mobile',
  'fixed_line',
  'fixed_line_or_mobile',
  'toll_free',
  'premium_rate',
  'shared_cost',
  'voip',
  'personal_number',
  'pager',
  'uan',
  'voicemail',
] as const

const unknowns = ['in_service', 'reachable', 'current_operator', 'ported', 'owner'] as const

export const lookUpNumber = endpoint({
  id: 'numbers.lookup',
  version: 'v2',
  category: 'Organization',
  method: 'GET',
  path: '/numbers/lookup/{number}',
  name: 'Look up a number',
  description:
    'What the numbering plans of the world say of a telephone number, whether it is one of yours, and whom it opted out of. Nothing is sent and no network is asked, so it cannot say whether the number is in service or who has it; what is not known is named in unknown. Text that is no telephone number is not found.',
  permission: 'numbers:read',
  params: Type.Object({
    number: Type.String({
      minLength: 3,
      maxLength: 40,
      description: 'A telephone number in any usual spelling, best E.164 (write + as %2B where + would be a blank).',
    }),
  }),
  reply: Type.Object({
    number: Type.String({ description: 'In E.164 format with +.' }),
    valid: Type.Boolean({
      description: 'Whether it is of a range that is handed out. When not, it has a possible length and no more.',
    }),
    type: Nullable(
      OneOf(numberTypes, { description: 'What its range is for; null where the plan does not say, or not valid.' }),
    ),
    country: Nullable(Type.String({ description: 'ISO 3166 country, where the plan says.' })),
    callingCode: Type.String({ description: 'Country calling code, without +.' }),
    nationalFormat: Type.String({ description: 'As it is written in its country.' }),
    internationalFormat: Type.String({ description: 'As it is written elsewhere.' }),
    numberId: Nullable(Type.String({ description: 'Your number with this address; null when it is none of yours.' })),
    optedOut: Type.Boolean({ description: 'Whether it opted out of anything of yours.' }),
    optOuts: Type.Array(
      Type.Object({
        optOutId: Type.String(),
        scope: Type.String({ description: 'The messaging service, or the sender without one.' }),
        createdAt: Timestamp,
      }),
      { description: 'What it opted out of, the newest first, at most 100.' },
    ),
    unknown: Type.Array(OneOf(unknowns), { description: 'What cannot be known without asking a network.' }),
  }),
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { number: '+4915123456789' },
    reply: {
      number: '+4915123456789',
      valid: true,
      type: 'mobile',
      country: 'DE',
      callingCode: '49',
      nationalFormat: '01512 3456789',
      internationalFormat: '+49 1512 3456789',
      numberId: null,
      optedOut: true,
      optOuts: [
        {
          optOutId: 'opt_01k9r7d3w2v8e6q4n5m1b0c9xz',
          scope: 'msv_01k9r7d3w2v8e6q4n5m1b0c9xz',
          createdAt: '2026-11-21T08:44:00.123Z',
        },
      ],
      unknown: ['in_service', 'reachable', 'current_operator', 'ported', 'owner'],
    },
  },
  async handle({ tx, principal, params }) {
    const number = readTelephone(params.number, principal.settings.defaultCountry)
    if (number === undefined) {
      throw new Problem('not_found', {
        message: 'This is no telephone number. Write it with + and country code, such as +15550100001.',
      })
    }
    const [plan, own, optOuts] = await Promise.all([
      planOf(number),
      findNumberByAddress(tx, principal, number),
      listOptOutsOf(tx, principal, number),
    ])
    return {
      number,
      ...plan,
      numberId: own?.id ?? null,
      optedOut: optOuts.length > 0,
      optOuts: optOuts.map(row => ({ optOutId: row.id, scope: row.scope, createdAt: row.created_at })),
      unknown: unknowns,
    }
  },
})

/** What the numbering plans know of a number in E.164. */
async function planOf(number: string) {
  // The complete tables, which have types and exact ranges, are large: they are read when first asked for.
  const { default: parse } = await import('libphonenumber-js/max')
  const parsed = parse(number)
  if (parsed === undefined) throw new Error(`${number} was read as a telephone number before`)
  const type = parsed.getType()?.toLowerCase() ?? null
  return {
    valid: parsed.isValid(),
    type: numberTypes.find(known => known === type) ?? null,
    country: parsed.country ?? null,
    callingCode: parsed.countryCallingCode,
    nationalFormat: parsed.formatNational(),
    internationalFormat: parsed.formatInternational(),
  }
}
