// Tags: words with a color that an organization puts on its records.
import { f } from '../../../kernel/noun/fields.ts'
import { noun } from '../../../kernel/noun/noun.ts'
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

const colors = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink', 'brown'] as const

export const tags = noun({
  names: ['tag', 'tags'],
  prefix: 'tag',
  category: 'CRM',
  about:
    'A word with a color that is put on records of any kind. No two have the same name, whatever the case of its letters.',
  fields: {
    name: f.text({ max: 60, required: true, find: true, about: 'What it says, such as VIP.' }),
    color: f.choice(colors, { initial: 'gray', about: 'The color that it is shown in.' }),
  },
  title: 'name',
  facets: [],
  order: { first: '-created_at', indexed: ['name'] },
  match: ['name'],
  unique: true,
  holds: 'nothing',
  roles: {
    read: ['Sales Manager', 'Sales Executive', 'Finance Manager'],
    create: ['Sales Manager', 'Sales Executive'],
    update: ['Sales Manager'],
    delete: ['Sales Manager'],
  },
  only: ['list', 'get', 'create', 'update', 'delete', 'restore', 'merge', 'history'],
  sample: { name: 'VIP', color: 'purple' },
})

/** Tags on records. */
export const recordTag = declareNoun({
  permissions: {
    'tags:assign': {
      allows: 'Put tags on records that one may change, and take them off.',
      roles: ['Sales Manager', 'Sales Executive'],
    },
  },
  events: {
    readWith: 'tags:assign',
    types: { 'record.tags_changed': 'Tags were put on a record, or taken off.' },
  },
  problems: {
    tag_not_found: problem(
      422,
      'No such tag',
      'A tag that is to be put on records does not exist, or is deleted.',
      'List the tags for their ids, or create the tag first.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    tag: typeof tags
    recordTag: typeof recordTag
  }
}
