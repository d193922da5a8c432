// Attachments: files put on records of any kind.
import { f } from '../../../kernel/noun/fields.ts'
import { noun } from '../../../kernel/noun/noun.ts'
import { declareNoun, problem } from '../../../kernel/values/noun.ts'
import { createAttachment } from './rules.ts'

export const attachments = noun({
  names: ['attachment', 'attachments'],
  prefix: 'att',
  category: 'CRM',
  about:
    'A file about a record. It is listed and downloaded by those who see the record, and put there, renamed and deleted by those who may change it.',
  fields: {
    record_id: f.record({ required: true, setBy: 'creation', about: 'The record that it is about.' }),
    name: f.text({ max: 200, required: true, find: true, about: 'What the file is called.' }),
    content_type: f.text({ max: 127, required: true, setBy: 'rules', about: 'What it is, as its bytes say.' }),
    size_bytes: f.integer({ min: 1, required: true, setBy: 'rules', about: 'How long it is.' }),
    sha256: f.text({ max: 64, required: true, setBy: 'rules', about: 'SHA-256 of its bytes, in hexadecimal.' }),
    uploaded_by: f.user({ required: true, setBy: 'rules', about: 'Who put it there.' }),
  },
  title: 'name',
  facets: [],
  order: { first: '-created_at', indexed: [] },
  roles: {
    read: ['Sales Manager', 'Sales Executive', 'Finance Manager'],
    create: ['Sales Manager', 'Sales Executive'],
    update: ['Sales Manager', 'Sales Executive'],
    delete: ['Sales Manager', 'Sales Executive'],
  },
  only: ['list', 'get', 'update', 'delete', 'restore', 'history'],
  create: createAttachment,
  sample: { record_id: 'cmp_01k9r7d3w2v8e6q4n5m1b0c9xz', name: 'offer.pdf' },
  sampleShown: {
    content_type: 'application/pdf',
    size_bytes: 48_213,
    sha256: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  },
})

/** The bytes of attachments. */
export const attachmentFile = declareNoun({
  problems: {
    file_unreachable: problem(
      503,
      'File not reachable',
      'The store of the file does not answer, or has it no longer.',
      'Try again later. The log of the server has the reason.',
      true,
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    attachment: typeof attachments
    attachmentFile: typeof attachmentFile
  }
}
