// What can be done with the records that are selected: change a field of all, or delete them. What could not be changed is named.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog } from '../forms/form.tsx'
import { undoAction } from '../imports/notice/undo_batches.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ConfirmDialog, SelectField, toast } from '../ui/index.ts'
import { type BulkReply, type Patch, useNounApi } from './api.ts'
import { draftOf, formFields, isList, refuseUnclearDrafts, sentOf } from './drafts.ts'
import { FieldEditor } from './editors.tsx'
import { Failures } from './failures.tsx'
import { rootOf, useFieldFaults } from './field_faults.ts'
import {
  fieldNamed,
  movedState,
  type NounDescription,
  type NounField,
  type NounRecord,
  pathOf,
  permissionOf,
} from './noun.ts'
import styles from './nouns.module.css'
import { ManyDialog, MergeDialog, TagsDialog } from './parts.ts'
import { useMayChange, useMayMerge } from './rights.ts'
import { t } from './texts.ts'

export type BulkBarProps = {
  noun: NounDescription
  /** Those that are selected. */
  records: readonly NounRecord[]
  /** Whether a record may come to a state, where the states let it. */
  mayMove?: ((record: NounRecord, to: string) => boolean) | undefined
  onClear(): void
}

const maxAtOnce = 1_000
const phoneKinds = ['phone', 'phones']
/** Kinds of which no two records have the same. */
const ofOne = ['email', 'phone', 'domain']

export function BulkBar({ noun, records, mayMove, onClear }: BulkBarProps) {
  const { permissions } = useSession()
  const [dialog, setDialog] = useState<'change' | 'delete' | 'restore' | 'merge' | 'tags' | 'text'>()
  const mayMerge = useMayMerge(noun)
  const navigate = useNavigate()
  const inTrash = records.every(({ deleted_at: at }) => at != null)
  const isThere = !records.some(({ deleted_at: at }) => at != null)
  const mayTag = noun.holds === true && [permissionOf(noun, 'update'), 'tags:assign'].every(one => permissions.has(one))
  const mayText = permissions.has('messages:send') && noun.fields.some(({ kind }) => phoneKinds.includes(kind))
  const mayChange = useMayChange(noun)
  const plain = formFields(noun).filter(
    field =>
      !isList(field) &&
      field.name !== noun.title &&
      !ofOne.includes(field.kind) &&
      records.every(one => mayChange(one, field)),
  )
  const state = records.every(one => mayChange(one)) ? movedState(noun, records, mayMove) : undefined
  const fields = state === undefined ? plain : [state, ...plain]
  return (
    <section className={styles['bulk']} aria-label={t('selection')}>
      <span aria-live="polite">{t('selected', { count: records.length })}</span>
      {fields.length > 0 && <Button onClick={() => setDialog('change')}>{t('changeField')}</Button>}
      {mayText && isThere && <Button onClick={() => setDialog('text')}>{t('sendText')}</Button>}
      {mayTag && isThere && <Button onClick={() => setDialog('tags')}>{t('tags')}</Button>}
      {mayMerge(records.length) && isThere && <Button onClick={() => setDialog('merge')}>{t('merge')}</Button>}
      {permissions.has(permissionOf(noun, 'delete')) && noun.verbs.includes('delete') && (
        <Button variant={inTrash ? 'secondary' : 'danger'} onClick={() => setDialog(inTrash ? 'restore' : 'delete')}>
          {t(inTrash ? 'restore' : 'delete')}
        </Button>
      )}
      <Button variant="ghost" onClick={onClear}>
        {t('clearSelection')}
      </Button>
      {dialog === 'change' && (
        <ChangeDialog
          noun={noun}
          fields={fields}
          records={records}
          onClose={() => setDialog(undefined)}
          onDone={onClear}
        />
      )}
      {dialog === 'tags' && (
        <TagsDialog noun={noun} records={records} onClose={() => setDialog(undefined)} onDone={onClear} />
      )}
      {dialog === 'text' && <ManyDialog records={records} onClose={() => setDialog(undefined)} onDone={onClear} />}
      {dialog === 'merge' && (
        <MergeDialog
          noun={noun}
          ids={records.map(({ id }) => String(id))}
          onClose={() => setDialog(undefined)}
          onMerged={id => {
            onClear()
            void navigate({ to: `${pathOf(noun)}/$id` as '/leads/$id', params: { id } })
          }}
        />
      )}
      {(dialog === 'delete' || dialog === 'restore') && (
        <MoveDialog
          noun={noun}
          records={records}
          action={dialog}
          onClose={() => setDialog(undefined)}
          onDone={onClear}
        />
      )}
    </section>
  )
}

type DialogProps = { noun: NounDescription; records: readonly NounRecord[]; onClose(): void; onDone(): void }

/** Changes in parts that one request takes. */
function useChange({ noun, records, onDone, onClose }: DialogProps, did: 'change' | 'delete' | 'restore') {
  const own = useNounApi(noun)
  const api = useApi()
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const again = () => void cache.invalidateQueries({ queryKey: [mode, noun.many] })
  const countOf = (count: number) => t('counted', { count, one: noun.words.one, many: noun.words.many })
  const [failed, setFailed] = useState<BulkReply['failed']>([])
  const change = useMutation({
    /** @param change.check throws what is wrong before anything is sent */
    async mutationFn({ check, ...what }: ({ set: Patch } | { action: 'delete' | 'restore' }) & { check?(): void }) {
      check?.()
      const ids = records.map(({ id }) => id)
      let changed = 0
      const batches: string[] = []
      const refused: BulkReply['failed'][number][] = []
      for (let at = 0; at < ids.length; at += maxAtOnce) {
        const reply = await own.change(ids.slice(at, at + maxAtOnce), what)
        changed += reply.changed
        if (reply.changed > 0) batches.push(reply.batch_id)
        refused.push(...reply.failed)
      }
      return { changed, batches, failed: refused }
    },
    onSettled: again,
    onSuccess({ changed, batches, failed: refused }) {
      setFailed(refused)
      if (changed > 0)
        toast({
          text: t(`did.${did}`, { count: changed, one: noun.words.one, many: noun.words.many }),
          ...(batches.length > 0 &&
            permissions.has('batches:revert') && {
              action: undoAction({ api, ids: batches, countOf, onDone: again }),
            }),
        })
      if (refused.length > 0) return
      onDone()
      onClose()
    },
  })
  return { change, failed }
}

const among = (records: readonly NounRecord[]) => (id: string | number) =>
  records.find(one => String(one.id) === String(id))

function ChangeDialog(props: DialogProps & { fields: readonly NounField[] }) {
  const { noun, fields, records, onClose } = props
  const [name, setName] = useState(fields[0]?.name ?? '')
  const field = fields.find(one => one.name === name) ?? fields[0]
  const [draft, setDraft] = useState<unknown>(() => field && draftOf(field, field.initial ?? field.choices?.[0]))
  const [why, setWhy] = useState('')
  const { change, failed } = useChange(props, 'change')
  const faults = useFieldFaults(change.error, [name, `set.${name}`, 'set'])
  if (field === undefined) return null
  const reason = reasonOf(noun, field, draft)
  const details = Object.entries(faults.fields).filter(([path]) => rootOf(path) === 'set')
  return (
    <FormDialog
      title={t('changeMany', { count: records.length, one: noun.words.one, many: noun.words.many })}
      description={t('changeText')}
      faults={faults}
      className={record['form']}
      action={t('change')}
      busy={change.isPending}
      onSubmit={() =>
        change.mutate({
          check: () => refuseUnclearDrafts([field], { [field.name]: draft }),
          set: {
            [field.name]: sentOf(field, draft),
            ...(reason !== undefined && why.trim() !== '' && { [reason.name]: why }),
          },
        })
      }
      onClose={onClose}
    >
      <SelectField
        label={t('field')}
        className={record['wide']}
        options={fields.map(one => ({ value: one.name, label: one.label }))}
        value={field.name}
        onChange={event => {
          const next = fields.find(one => one.name === event.target.value)
          setName(event.target.value)
          if (next !== undefined) setDraft(draftOf(next, next.initial ?? next.choices?.[0]))
        }}
      />
      <FieldEditor
        key={field.name}
        field={field}
        draft={draft}
        className={record['wide']}
        error={faults.faultOf(field.name) ?? (details.map(([, text]) => text).join(' ') || undefined)}
        onChange={setDraft}
      />
      {reason !== undefined && (
        <FieldEditor field={reason} draft={why} className={record['wide']} onChange={text => setWhy(String(text))} />
      )}
      <Failures noun={noun} recordOf={among(records)} failed={failed} />
    </FormDialog>
  )
}

/** The field that says why, where records come to a state that has reasons. */
function reasonOf(noun: NounDescription, { reason }: NounField, word: unknown): NounField | undefined {
  const need = reason?.at[String(word)]
  const field = reason === undefined || need === undefined ? undefined : fieldNamed(noun, reason.field)
  return field && { ...field, ...(need === 'required' && { required: true as const }) }
}

function MoveDialog(props: DialogProps & { action: 'delete' | 'restore' }) {
  const { noun, records, action, onClose } = props
  const { change, failed } = useChange(props, action)
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t(`ask.${action}`, { count: records.length, one: noun.words.one, many: noun.words.many })}
      description={t(`askText.${action}`)}
      confirmLabel={t(action)}
      danger={action === 'delete'}
      busy={change.isPending}
      {...(change.error !== null && { error: faultText(change.error) })}
      onConfirm={() => change.mutate({ action })}
    >
      {failed.length > 0 && <Failures noun={noun} recordOf={among(records)} failed={failed} />}
    </ConfirmDialog>
  )
}
