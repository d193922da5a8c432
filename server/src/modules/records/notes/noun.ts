// Notes: what people write down about a record of any kind.
import { f } from '../../../kernel/noun/fields.ts'
import { noun } from '../../../kernel/noun/noun.ts'
import { changeNote, createNote } from './rules.ts'

export const notes = noun({
  names: ['note', 'notes'],
  prefix: 'note',
  category: 'CRM',
  about:
    'A text about a record. It is read by those who see the record, and written, changed and deleted by those who may change it.',
  fields: {
    record_id: f.record({ required: true, setBy: 'creation', about: 'The record that it is about.' }),
    body: f.longText({
      max: 10_000,
      required: true,
      find: true,
      isListed: true,
      about: 'The text, plain or Markdown.',
    }),
    is_pinned: f.boolean({ initial: false, about: 'Whether it stands above the others.' }),
    author_id: f.user({ required: true, setBy: 'rules', about: 'Who wrote it.' }),
    edited_at: f.moment({
      setBy: 'rules',
      about: 'When its text was last changed; null while it is as it was written.',
    }),
  },
  title: 'body',
  facets: [],
  order: { first: '-created_at', indexed: [] },
  roles: {
    read: ['Sales Manager', 'Sales Executive', 'Finance Manager'],
    create: ['Sales Manager', 'Sales Executive'],
    update: ['Sales Manager', 'Sales Executive'],
    delete: ['Sales Manager', 'Sales Executive'],
  },
  only: ['list', 'get', 'create', 'update', 'delete', 'restore', 'history'],
  create: createNote,
  change: changeNote,
  sample: { record_id: 'cmp_01k9r7d3w2v8e6q4n5m1b0c9xz', body: 'Asked for a second quote by Friday.' },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    note: typeof notes
  }
}
