// An address that belongs to nobody becomes a new lead, or is put on a person who is there already.
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useRested } from '../forms/rested.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Combobox } from '../ui/combobox.tsx'
import { faultText } from '../ui/faults.ts'
import { TextField, toast } from '../ui/index.ts'
import { t } from './texts.ts'
import { useTakeIn } from './use_inbox.ts'
import type { One } from './views.ts'
import { nameOf } from './words.ts'

type DialogProps = { one: One; onClose(): void }
type Person = { recordId: string } | { lead: { name: string; email?: string; phone?: string; company?: string } }

function useAttach({ one: { conversationId }, onClose }: DialogProps, done: string) {
  const api = useApi()
  const cache = useQueryClient()
  const { mode } = useSession()
  const takeIn = useTakeIn()
  return useMutation({
    gcTime: 0,
    mutationFn: (person: Person) => api.conversations.attach({ conversationId, ...person }),
    onSuccess(after) {
      // The person had a conversation already: both are that one now, and the page goes to it.
      takeIn(after, conversationId)
      for (const key of ['conversations', 'conversation counts', 'thread', 'leads', 'contacts'])
        void cache.invalidateQueries({ queryKey: [mode, key] })
      toast({ text: done })
      onClose()
    },
  })
}

export function CreateLeadDialog(props: DialogProps) {
  const { one, onClose } = props
  const addressOf = (channel: 'phone' | 'mail') => one.addresses.find(known => known.channel === channel)?.address ?? ''
  const [values, setValues] = useState({ name: '', company: '', phone: addressOf('phone'), email: addressOf('mail') })
  const attach = useAttach(props, t('lead.created'))
  const { text, ...faults } = useFormFields({ values, change: setValues }, attach.error, [
    'name',
    'company',
    'phone',
    'email',
  ])
  const submit = () => {
    const { name, company, phone, email } = values
    attach.mutate({
      lead: {
        name,
        ...(company !== '' && { company }),
        ...(phone !== '' && { phone }),
        ...(email !== '' && { email }),
      },
    })
  }
  return (
    <FormDialog
      title={t('lead.create')}
      description={t('lead.text', { name: nameOf(one) })}
      faults={faults}
      action={t('lead.action')}
      busy={attach.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField label={t('field.name')} required {...text('name')} />
      <TextField label={t('field.company')} optional {...text('company')} />
      <TextField label={t('field.phone')} type="tel" optional {...text('phone')} />
      <TextField label={t('field.email')} type="email" optional {...text('email')} />
    </FormDialog>
  )
}

export function AddToPersonDialog(props: DialogProps) {
  const { one, onClose } = props
  const [recordId, setRecordId] = useState('')
  const [typed, setTyped] = useState('')
  const people = usePeople(typed)
  const attach = useAttach(props, t('person.added'))
  const { form } = useFormFields({ values: {}, change: () => undefined }, attach.error, [])
  return (
    <FormDialog
      title={t('person.add')}
      description={t('person.text', { name: nameOf(one) })}
      faults={{ form, ...(attach.error !== null && { general: faultText(attach.error) }) }}
      action={t('person.action')}
      busy={attach.isPending}
      onSubmit={() => recordId !== '' && attach.mutate({ recordId })}
      onClose={onClose}
    >
      <Combobox
        label={t('person')}
        placeholder={t('person.hint')}
        options={people.options}
        value={recordId}
        isLoading={people.isLoading}
        onTyped={setTyped}
        filter={options => options}
        onChange={setRecordId}
      />
    </FormDialog>
  )
}

const restMs = 200
const most = 10

/** Leads and contacts by what is typed, those that changed last before. */
function usePeople(typed: string) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const q = useRested(typed.trim(), restMs)
  const asked = q.length >= 2 ? { q, limit: most } : { sort: '-updated_at', limit: most }
  const query = useQuery({
    queryKey: [mode, 'people to add to', q],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const [contacts, leads] = await Promise.all([
        permissions.has('contacts:update') ? api.contacts.list(asked, { signal }) : { contacts: [] },
        permissions.has('leads:update') ? api.leads.list(asked, { signal }) : { leads: [] },
      ])
      return [
        ...contacts.contacts.map(({ id, name, job_title }) => ({
          value: String(id),
          label: name ?? String(id),
          hint: job_title ?? '',
          group: t('contacts'),
        })),
        ...leads.leads.map(({ id, name, company }) => ({
          value: `lead:${id}`,
          label: name ?? String(id),
          hint: company ?? '',
          group: t('leads'),
        })),
      ]
    },
  })
  return { options: query.data ?? [], isLoading: query.isPending || q !== typed.trim() }
}
