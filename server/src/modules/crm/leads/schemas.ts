// How leads look on the wire: the record, what creation and change take, and what a list is asked with.
import { type Static, Type } from 'typebox'
import { SortBy, WordList } from '../../../kernel/endpoint/list_query.ts'
import { Pagination, v1PageQuery } from '../../../kernel/endpoint/page.ts'
import {
  Email,
  IntegerId,
  MomentInput,
  Nullable,
  OneOf,
  PhoneInput,
  PhoneNumber,
  Timestamp,
} from '../../../kernel/endpoint/schema.ts'
import { tagQuery } from '../../../kernel/noun/tagged.ts'
import { duplicateModes } from '../../../kernel/values/duplicate_mode.ts'
import { sortColumns } from './filters.ts'
import { leadPriorities, leadStatuses } from './rules.ts'

export const Lead = Type.Object({
  id: IntegerId,
  tenant_id: Type.Integer({ description: 'The tenant the lead belongs to: live and test are two.' }),
  name: Type.String({ description: 'Name of the person or of the enquiry.' }),
  email: Nullable(Type.String({ description: 'E-mail address as it was given.' })),
  phone: Nullable(PhoneNumber),
  company: Nullable(Type.String({ description: 'Company the person speaks for.' })),
  priority: OneOf(leadPriorities, { description: 'How urgent the lead is.' }),
  status: OneOf(leadStatuses, { description: 'Where the lead stands; a new one is New.' }),
  created_at: Timestamp,
  owner_id: Nullable(Type.Integer({ description: 'The user who works on the lead; null while nobody does.' })),
  source: Nullable(Type.String({ description: 'Where the lead came from.' })),
  notes: Nullable(Type.String()),
  lost_reason: Nullable(Type.String({ description: 'Why the lead is Unqualified or Junk.' })),
  first_responded_at: Nullable(
    Type.String({ format: 'date-time', description: 'When the lead first moved on from New.' }),
  ),
  company_id: Nullable(Type.String({ description: 'The record of the company that the person speaks for.' })),
  contact_id: Nullable(Type.String({ description: 'The contact that the lead became.' })),
  converted_at: Nullable(Type.String({ format: 'date-time', description: 'When the lead was converted.' })),
  updated_at: Timestamp,
  version: Type.Integer({ description: 'Counts changes; the ETag.' }),
  deleted_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'When it was moved to the trash; absent for all other leads.' }),
  ),
})

export const DuplicateHeaders = Type.Object({
  'X-Duplicate-Mode': Type.Optional(
    OneOf(duplicateModes, {
      description:
        "What a lead with the same e-mail or phone does: block refuses with 409, warn lets pass, off does not look. The organization's setting when left out.",
    }),
  ),
})

export const Duplicate = Type.Object({
  id: IntegerId,
  name: Type.String(),
  matched_by: OneOf(['email', 'phone'], { description: 'What is the same; email when both are.' }),
})

const notBlank = { pattern: '\\S', errorMessage: 'must not be empty' } as const
const Name = Type.String({ minLength: 1, maxLength: 200, ...notBlank, description: 'Name of the person or enquiry.' })

/** A word of a list in any letter case; JSON Schema can say that only as a pattern. */
function anyCase(words: readonly string[], description: string) {
  const letters = (word: string) => [...word].map(letter => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join('')
  return Type.String({
    pattern: `^(?:${words.map(letters).join('|')})$`,
    errorMessage: `must be one of: ${words.join(', ')}`,
    examples: [...words],
    description: `${description} ${words.join(', ')}; in any letter case.`,
  })
}

const Priority = anyCase(leadPriorities, 'How urgent the lead is:')
const Company = Nullable(Type.String({ maxLength: 200, description: 'Company the person speaks for.' }))
const Source = Nullable(Type.String({ maxLength: 100, description: 'Where the lead came from, such as web or fair.' }))
const Notes = Nullable(Type.String({ maxLength: 10_000, description: 'Free text.' }))
const CompanyId = Nullable(
  Type.String({
    pattern: '^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    errorMessage: 'must be the id of a company, such as cmp_01k9r7d3w2v8e6q4n5m1b0c9xz',
    description: 'The record of the company that the person speaks for.',
  }),
)

const contact = {
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(
    Nullable({
      ...PhoneInput,
      description:
        "Telephone number in any usual spelling; without + it is read as one of the organization's default country.",
    }),
  ),
}

export const NewLeadBody = Type.Object({
  name: Name,
  ...contact,
  company: Type.Optional(Company),
  company_id: Type.Optional(CompanyId),
  priority: Type.Optional({ ...Priority, default: 'Warm' }),
  status: Type.Optional(OneOf(['New'], { description: 'A lead begins as New; nothing else is taken.' })),
  owner_id: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'An active user of the organization. Left out: the creator if a Sales Executive, otherwise nobody.',
      }),
    ),
  ),
  source: Type.Optional(Source),
  notes: Type.Optional(Notes),
})

export const LeadPatchBody = Type.Object({
  name: Type.Optional(Name),
  ...contact,
  company: Type.Optional(Company),
  company_id: Type.Optional(CompanyId),
  priority: Type.Optional(Priority),
  status: Type.Optional(
    OneOf(leadStatuses, { description: 'The next status; which ones are allowed depends on the present one.' }),
  ),
  owner_id: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'An active user of the organization, or null for nobody.',
      }),
    ),
  ),
  source: Type.Optional(Source),
  notes: Type.Optional(Notes),
  lost_reason: Type.Optional(
    Nullable(
      Type.String({ maxLength: 500, description: 'Why the lead is given up; required with the status Unqualified.' }),
    ),
  ),
})

export const LeadParams = Type.Object({ id: IntegerId })

const bound = (which: string) => ({
  ...MomentInput,
  description: `${which} ISO 8601 date, or time; without offset in the time zone of the organization.`,
})

export const LeadListQuery = Type.Object({
  status: Type.Optional(WordList(leadStatuses, 'Only leads in these.')),
  priority: Type.Optional(WordList(leadPriorities, 'Only leads of these.')),
  owner_id: Type.Optional(
    Type.String({
      pattern: '^(?:me|none|[1-9]\\d{0,14})$',
      errorMessage: 'must be the id of a user, me, or none',
      description: 'The id of a user, `me`, or `none` for leads nobody owns.',
    }),
  ),
  company_id: Type.Optional(Type.String({ maxLength: 40, description: 'Only leads that name this company.' })),
  contact_id: Type.Optional(Type.String({ maxLength: 40, description: 'Only leads that became this contact.' })),
  ...tagQuery,
  'created_at[gte]': Type.Optional(bound('Created at or after.')),
  'created_at[gt]': Type.Optional(bound('Created after; after the whole day for a date.')),
  'created_at[lte]': Type.Optional(bound('Created at or before; a date is included.')),
  'created_at[lt]': Type.Optional(bound('Created before.')),
  q: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Searches name, e-mail, phone and company: every word, in any order, also parts of words (shorter than three letters: beginnings); digits of a number however it is spelled; when nothing holds the text, what is spelled like it.',
    }),
  ),
  deleted: Type.Optional(
    Type.Boolean({ default: false, description: 'Lists the trash instead; needs the permission leads:delete.' }),
  ),
  sort: Type.Optional(
    SortBy(
      sortColumns,
      '-created_at',
      ' Priority goes Hot, Warm, Cold; status by its course; no company comes last. The id decides at the end.',
    ),
  ),
  ...v1PageQuery,
  cursor: Type.Optional({ ...v1PageQuery.cursor, maxLength: 4_000 }),
})

export const LeadListReply = Type.Object({ leads: Type.Array(Lead), pagination: Pagination })

export const sampleLead: Static<typeof Lead> = {
  id: 17,
  tenant_id: 1,
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+15550100001',
  company: 'Analytical Engines',
  priority: 'Hot',
  status: 'New',
  created_at: '2026-11-21T08:44:00.123Z',
  owner_id: null,
  source: 'web',
  notes: null,
  lost_reason: null,
  first_responded_at: null,
  company_id: null,
  contact_id: null,
  converted_at: null,
  updated_at: '2026-11-21T08:44:00.123Z',
  version: 1,
}
