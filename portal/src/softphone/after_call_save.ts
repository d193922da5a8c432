// Saves what is said of a call that is over, as one thing: its outcome, a note, the next step, where the lead stands, and who it was, where
// nobody knew. What was saved before something failed is not saved twice; where it was corrected since, what was made is changed.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import type { CalledPerson } from './called_person.ts'
import type { Outcome } from './outcomes.ts'
import { createSteps } from './steps.ts'
import type { EndedCall } from './store.ts'

export type AfterValues = {
  outcome: Outcome | ''
  body: string
  title: string
  due_on: string
  status: string
  lost_reason: string
  /** Of who is to become a lead. */
  name: string
}

export const afterFields = ['outcome', 'body', 'title', 'due_on', 'status', 'lost_reason', 'name'] as const

export type Saving = { values: AfterValues; person: CalledPerson | null; version: number | undefined }

type Api = ReturnType<typeof apiOf>
type Status = NonNullable<Parameters<Api['leads']['update']>[0]['status']>

export function useAfterCallSave(call: EndedCall, onSaved: (recordId: string | undefined) => void) {
  const { user } = useSession()
  const cache = useQueryClient()
  const [step] = useState(createSteps)
  return useMutation({
    async mutationFn({ values, person, version }: Saving) {
      const api = apiOf(call.mode)
      const { outcome, body, title, due_on: due, status, lost_reason: reason } = values
      const name = values.name.trim()
      const made =
        person !== null || name === ''
          ? undefined
          : await step('lead', {
              content: name,
              make: async key => (await api.leads.create({ name, phone: call.other }, { idempotencyKey: key })).lead,
              change: ({ id }) => api.leads.update({ id, name }),
            })
      const recordId = person?.recordId ?? (made && `lead:${made.id}`)
      const leadId = person?.leadId ?? made?.id
      if (outcome !== '') {
        const save = () => api.calls.update({ callId: call.callId, outcome })
        await step('outcome', { content: outcome, make: save, change: save })
      }
      if (recordId !== undefined && body.trim() !== '')
        await step('note', {
          content: body,
          make: async key => (await api.notes.create({ record_id: recordId, body }, { idempotencyKey: key })).note,
          change: ({ id }) => api.notes.update({ id, body }),
        })
      if (recordId !== undefined && title.trim() !== '') {
        const task = { record_id: recordId, title, assignee_id: user.id, ...(due !== '' && { due_on: due }) }
        await step('task', {
          content: { title, due },
          make: async key => (await api.tasks.create(task, { idempotencyKey: key })).task,
          change: ({ id }) => api.tasks.update({ id, title, due_on: due === '' ? null : due }),
        })
      }
      if (leadId != null && status !== '') {
        const save = () =>
          api.leads.update(
            { id: leadId, status: status as Status, ...(reason.trim() !== '' && { lost_reason: reason }) },
            version === undefined ? {} : { ifMatch: version },
          )
        await step('status', { content: { status, reason: reason.trim() }, make: save, change: save })
      }
      return recordId
    },
    onSettled() {
      for (const key of ['timeline', 'on a record', 'calls', 'call', 'leads', 'lead'])
        void cache.invalidateQueries({ queryKey: [call.mode, key] })
    },
    onSuccess: onSaved,
  })
}
