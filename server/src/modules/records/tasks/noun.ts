// Tasks: what somebody has to do, about a record of any kind or about none.
import { f } from '../../../kernel/noun/fields.ts'
import { rangeOf } from '../../../kernel/noun/moments.ts'
import { noun } from '../../../kernel/noun/noun.ts'
import { decideTask, taskStatuses, taskTable } from './rules.ts'

const priorities = ['low', 'normal', 'high', 'urgent'] as const

/** The last moment of a day where the organization is. */
const endOfDay = (day: string, timeZone: string) =>
  new Date(Date.parse(rangeOf({ lte: day }, timeZone).before!) - 1).toISOString()

export const tasks = noun({
  names: ['task', 'tasks'],
  prefix: 'task',
  category: 'CRM',
  about:
    'Something to be done, about a record or about none. Those about a record are seen and changed by those who see and may change it, and by who has to do them.',
  fields: {
    title: f.text({ max: 200, required: true, find: true, about: 'What is to be done.' }),
    body: f.longText({ max: 10_000, find: true, about: 'What else there is to say about it.' }),
    record_id: f.record({ about: 'The record that it is about.' }),
    assignee_id: f.user({ about: 'Who has to do it.' }),
    status: f.state(taskStatuses, {
      moves: taskTable,
      about: 'Open, done, or canceled. Send done to complete it, open to open it again.',
    }),
    priority: f.choice(priorities, { initial: 'normal', about: 'How much it matters.' }),
    due_on: f.date({ about: 'The day by whose end it has to be done; due_at follows.' }),
    due_at: f.moment({ about: 'When it has to be done: sent, or the end of due_on where the organization is.' }),
    created_by: f.user({ required: true, setBy: 'rules', about: 'Who created it.' }),
    completed_at: f.moment({ setBy: 'rules', about: 'When it was done.' }),
    completed_by: f.user({ setBy: 'rules', about: 'Who said that it was done.' }),
  },
  title: 'title',
  facets: ['status'],
  order: { first: '-created_at', indexed: ['due_at'] },
  rows: { owner: 'assignee_id', unassigned: 'hidden', own: ['Sales Executive'] },
  roles: {
    read: ['Sales Manager', 'Sales Executive', 'Finance Manager'],
    create: ['Sales Manager', 'Sales Executive', 'Finance Manager'],
    update: ['Sales Manager', 'Sales Executive'],
    delete: ['Sales Manager', 'Sales Executive'],
  },
  events: {
    completed: 'A task was done.',
    reopened: 'A task that was done or canceled is open again.',
    canceled: 'A task was canceled.',
  },
  only: ['list', 'get', 'create', 'update', 'delete', 'restore', 'bulk', 'history'],
  create: (draft, _named, actor) => decideTask(draft, draft, actor, endOfDay),
  change: (task, patch, _named, actor) => decideTask(task, patch, actor, endOfDay),
  sample: { title: 'Send the second quote', due_on: '2026-11-27', priority: 'high' },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    task: typeof tasks
  }
}
