// Who is behind a telephone number or an e-mail address: what lists of calls, messages and mails show in its place.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { OneOf } from '../../../kernel/endpoint/schema.ts'
import { parsePhone } from '../../../kernel/values/phone.ts'
import { invalid } from '../../../kernel/values/problem.ts'
import { kinds } from './rules.ts'
import { holders } from './store.ts'

const maxAddresses = 100

export const findPeople = endpoint({
  id: 'people.find',
  version: 'v1',
  category: 'CRM',
  method: 'GET',
  path: '/api/people',
  name: 'Find people by their addresses',
  description: `Names of those who have these telephone numbers and e-mail addresses, at most ${maxAddresses}: colleagues by their e-mail address, and the contacts, leads and companies that you may see. One for each address: a colleague before a contact, a contact before a lead, a lead before a company, and of several the newest. An address that nobody has is left out.`,
  permission: 'profile:read',
  query: Type.Object({
    addresses: Type.String({
      minLength: 3,
      maxLength: 20_000,
      description: 'Telephone numbers and e-mail addresses with commas between.',
    }),
  }),
  reply: Type.Object({
    people: Type.Array(
      Type.Object({
        address: Type.String({ description: 'As it was asked for.' }),
        type: OneOf(kinds, { description: 'What has it.' }),
        id: Type.String({
          description: 'Its id, as other records name it: `lead:17`, `con_…`, `cmp_…`; of a colleague the number.',
        }),
        name: Type.String({ description: 'What it is called.' }),
      }),
    ),
  }),
  envelope: 'success',
  sample: {
    query: { addresses: '+15550100001,ada@example.com' },
    reply: {
      people: [
        { address: '+15550100001', type: 'lead', id: 'lead:17', name: 'Ada Lovelace' },
        { address: 'ada@example.com', type: 'user', id: '12', name: 'Ada Lovelace' },
      ],
    },
  },
  async handle({ tx, principal, query }) {
    const asked = [...new Set(query.addresses.split(',').map(text => text.trim()))].filter(text => text !== '')
    if (asked.length > maxAddresses) {
      const message = `must be at most ${maxAddresses}: ask for the rest in another request`
      throw invalid({ field: 'addresses', code: 'too_many', message })
    }
    const keys = new Map(asked.map(address => [address, keyOf(address, principal.settings.defaultCountry)]))
    const found = await holders(
      tx,
      principal,
      [...new Set(keys.values())].filter(key => key !== undefined),
    )
    const people = asked.flatMap(address => {
      const holder = found.get(keys.get(address) ?? '')
      return holder === undefined ? [] : [{ address, ...holder }]
    })
    return { people }
  },
})

/** An address in the spelling that is compared; undefined for what is none. */
function keyOf(address: string, country: string | null): string | undefined {
  if (address.includes('@')) return address.toLowerCase()
  return parsePhone(address, country ?? undefined)
}
