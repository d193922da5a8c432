// The dialog that creates or edits a record of any noun. What the server finds wrong stands beside its field; nothing typed is lost.
import { isTandemError, type TandemError } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { EmptyFormButton } from '../forms/empty_form_button.tsx'
import { isStale } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/index.ts'
import { type Duplicate, useNounApi } from './api.ts'
import { bodyOf, changesOf, type Drafts, draftsOf, formFields, refuseUnclearDrafts } from './drafts.ts'
import { FieldEditor, isWide } from './editors.tsx'
import { useFieldFaults } from './field_faults.ts'
import { Meanwhile } from './meanwhile.tsx'
import { aOne, type NounDescription, type NounRecord, offeredOf, titleOf } from './noun.ts'
import { useIsOwnOnly } from './rights.ts'
import { t } from './texts.ts'
import { WholeRecord } from './whole_record.tsx'

export type Saved = { record: NounRecord; duplicates: readonly Duplicate[] }

const isDuplicate = (error: unknown): error is TandemError => isTandemError(error) && error.code === 'duplicate_record'

type FormProps = { noun: NounDescription; onClose(): void; onSaved(saved: Saved): void }

/** @param start what the form begins with beside what the noun says: the record that this one is to belong to */
export function CreateForm({ noun, start, onClose, onSaved }: FormProps & { start?: Drafts }) {
  const own = useNounApi(noun)
  const empty = { ...draftsOf(noun), ...start }
  const draft = useFormDraft(`new ${noun.one} ${JSON.stringify(start ?? {})}`, empty)
  const { mode } = useSession()
  const cache = useQueryClient()
  const create = useMutation({
    mutationFn: async (duplicates: 'refused' | 'taken') => {
      refuseUnclearDrafts(formFields(noun), draft.values)
      const { key, request } = draft.attempts.of(bodyOf(noun, draft.values))
      const duplicateMode = duplicates === 'taken' ? 'warn' : undefined
      return own.create(request, { mode: duplicateMode, idempotencyKey: key })
    },
    onSuccess(saved) {
      draft.forget()
      void cache.invalidateQueries({ queryKey: [mode, noun.many] })
      onSaved(saved)
    },
  })
  const faults = useFieldFaults(
    create.error,
    formFields(noun).map(({ name }) => name),
  )
  return (
    <FormDialog
      kept
      title={t('create', { a: aOne(noun) })}
      description={noun.about}
      className={record['form']}
      faults={faults}
      action={t('createShort')}
      busy={create.isPending}
      wide
      aside={<EmptyFormButton draft={draft} request={create} form={faults.form} />}
      other={
        isDuplicate(create.error) &&
        !create.isPending && <Button onClick={() => create.mutate('taken')}>{t('createAnyway')}</Button>
      }
      onSubmit={() => create.mutate('refused')}
      onClose={onClose}
    >
      <Editors noun={noun} drafts={draft.values} faults={faults} onChange={next => draft.change(() => next)} />
    </FormDialog>
  )
}

export type EditFormProps = FormProps & { record: NounRecord }

export function EditForm(props: EditFormProps) {
  const { noun, record: listed, onClose } = props
  return (
    <WholeRecord noun={noun} listed={listed} title={t('editNamed', { name: titleOf(noun, listed) })} onClose={onClose}>
      {(stored, reread) => <EditWhole {...props} record={stored} reread={reread} />}
    </WholeRecord>
  )
}

/** What was typed is kept, whatever others do to the record; all other fields follow it. */
function EditWhole({ noun, record: stored, reread, onClose, onSaved }: EditFormProps & { reread(): Promise<unknown> }) {
  const own = useNounApi(noun)
  const { mode } = useSession()
  const cache = useQueryClient()
  const [typed, setTyped] = useState<Drafts>({})
  const [begun, setBegun] = useState(stored)
  if (begun !== stored && Object.keys(typed).length === 0) setBegun(stored)
  const now = draftsOf(noun, stored)
  const drafts = { ...now, ...typed }
  const changes = changesOf(noun, drafts, now)
  const save = useMutation({
    mutationFn: async () => {
      const changed = formFields(noun).filter(({ name }) => name in changes)
      refuseUnclearDrafts(changed, drafts)
      return own.update(stored.id, changes, stored.version)
    },
    onSuccess(saved) {
      cache.setQueryData([mode, noun.one, String(saved.id)], saved)
      void cache.invalidateQueries({ queryKey: [mode, noun.many] })
      onSaved({ record: saved, duplicates: [] })
    },
    onError: error => (isStale(error) ? reread() : undefined),
  })
  const isRefused = isStale(save.error)
  const faults = useFieldFaults(
    isRefused ? null : save.error,
    formFields(noun).map(({ name }) => name),
  )
  return (
    <FormDialog
      title={t('editNamed', { name: titleOf(noun, stored) })}
      className={record['form']}
      faults={faults}
      action={t('save')}
      busy={save.isPending}
      wide
      onSubmit={() => (Object.keys(changes).length > 0 ? save.mutate() : onClose())}
      onClose={onClose}
    >
      {(save.isIdle || save.isError) && (
        <Meanwhile
          noun={noun}
          begun={begun}
          stored={stored}
          typed={Object.keys(changes)}
          isRefused={isRefused}
          onTakeTheirs={name => setTyped(({ [name]: dropped, ...rest }) => rest)}
        />
      )}
      <Editors
        noun={noun}
        drafts={drafts}
        edited={stored}
        faults={faults}
        onChange={next => setTyped(old => ({ ...old, ...differing(next, drafts) }))}
      />
    </FormDialog>
  )
}

const differing = (next: Drafts, old: Drafts): Drafts =>
  Object.fromEntries(Object.entries(next).filter(([name, draft]) => draft !== old[name]))

type EditorsProps = {
  noun: NounDescription
  drafts: Drafts
  /** What is edited; left out of a creation. */
  edited?: NounRecord
  faults: Pick<ReturnType<typeof useFieldFaults>, 'faultOf' | 'mend'>
  onChange(drafts: Drafts): void
}

function Editors({ noun, drafts, edited, faults, onChange }: EditorsProps) {
  const isOwnOnly = useIsOwnOnly(noun)
  return formFields(noun, isOwnOnly).map(field => (
    <FieldEditor
      key={field.name}
      field={edited === undefined ? field : offeredOf(noun, field, edited)}
      draft={drafts[field.name]}
      error={faults.faultOf(field.name)}
      className={isWide(field) ? record['wide'] : undefined}
      onChange={draft => {
        faults.mend(field.name)
        onChange({ ...drafts, [field.name]: draft })
      }}
    />
  ))
}
