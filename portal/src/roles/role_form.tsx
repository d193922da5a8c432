// The dialog that makes a role, or changes one: what it is made of, whose records it sees, and what it may do.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import record from '../data/record.module.css'
import { EmptyFormButton } from '../forms/empty_form_button.tsx'
import { FormDialog, type FormFields, type FormState, useFormFields } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import type { CreateFormProps } from '../lists/resource.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { apiOf } from '../session/api.ts'
import { type Role, useSession } from '../session/session.ts'
import {
  Dialog,
  ErrorState,
  LoadingRows,
  SegmentedControl,
  SelectField,
  TextArea,
  TextField,
  toast,
} from '../ui/index.ts'
import { listText } from '../words/format.ts'
import { baseRoles, baseText } from './base.ts'
import { forgetRoles, type RoleRecord, type RolesKnown, useRoles, withKey } from './data.ts'
import { copyOf, draftOf, emptyDraft, heldIn, leftOut, type RoleDraft, rowScopes } from './draft.ts'
import { labelOf, wordOf } from './groups.ts'
import { PermissionMatrix } from './permission_groups.tsx'
import styles from './roles.module.css'
import { t } from './texts.ts'

/** The form that the address opens; `from` names the role that it begins as. */
export function CreateRole({ onClose, onSaved }: CreateFormProps<RoleRecord>) {
  const query = useRoles()
  const [params, change] = useParamsOfAddress()
  const close = () => {
    change({ from: undefined })
    onClose()
  }
  if (query.data === undefined)
    return (
      <Dialog open onOpenChange={open => !open && close()} title={t('create')}>
        {query.isPending ? (
          <LoadingRows label={t('optionsLoading')} />
        ) : (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        )}
      </Dialog>
    )
  const from = query.data.roles.find(({ key }) => key === params['from'])
  return <NewRole key={from?.key ?? ''} known={query.data} from={from} onClose={close} onSaved={onSaved} />
}

type NewRoleProps = CreateFormProps<RoleRecord> & { known: RolesKnown; from: RoleRecord | undefined }

function NewRole({ known, from, onClose, onSaved }: NewRoleProps) {
  const { permissions: held } = useSession()
  const cache = useQueryClient()
  const plain = { ...emptyDraft, rows: rowsOfBase(known, emptyDraft.base) }
  const start =
    from === undefined
      ? plain
      : copyOf(
          from,
          known.roles.map(({ name }) => name),
        )
  const draft = useFormDraft(`new role ${from?.key ?? ''}`, start)
  const create = useMutation({
    mutationFn: () => {
      const { values } = draft
      const permissions = heldIn(values, known.permissions, held) as never
      return apiOf('live').roles.create({ ...values, permissions, rows: values.rows })
    },
    onSuccess: made => {
      draft.forget()
      forgetRoles(cache)
      toast({ text: t('created', { name: made.name }) })
      onSaved(withKey(made))
    },
  })
  const fields = useFormFields<RoleDraft>(draft, create.error, ['name', 'description', 'base'])
  return (
    <FormDialog
      kept
      wide
      title={from === undefined ? t('create') : t('copyTitle', { name: from.name })}
      description={t('createText')}
      className={record['form']}
      faults={fields}
      action={t('createAction')}
      busy={create.isPending}
      aside={<EmptyFormButton draft={draft} request={create} form={fields.form} label={t('beginAgain')} />}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <Fields fields={fields} known={known} />
    </FormDialog>
  )
}

export type UpdateRoleProps = { role: RoleRecord; known: RolesKnown; state: FormState<RoleDraft>; onClose(): void }

/** @param state begins as `draftOf` the role, and its version is the one that is changed */
export function UpdateRole({ role, known, state, onClose }: UpdateRoleProps) {
  const { permissions: held } = useSession()
  const cache = useQueryClient()
  const update = useMutation({
    mutationFn: () => {
      const { name, description, rows } = state.values
      const permissions = heldIn(state.values, known.permissions, held) as never
      const change = { roleId: role.roleId ?? '', name, description, rows, permissions }
      return apiOf('live').roles.update(change, { ifMatch: role.version })
    },
    onSuccess: saved => {
      toast({ text: t('changed', { name: saved.name }) })
      onClose()
    },
    onSettled: () => forgetRoles(cache),
  })
  const fields = useFormFields<RoleDraft>(state, update.error, ['name', 'description'])
  const hasChanged = JSON.stringify(state.values) !== JSON.stringify(draftOf(role))
  return (
    <FormDialog
      wide
      title={t('editTitle', { name: role.name })}
      description={t('editText', { count: role.members })}
      className={record['form']}
      faults={fields}
      action={t('save')}
      busy={update.isPending}
      disabled={!hasChanged}
      onSubmit={() => update.mutate()}
      onClose={onClose}
    >
      <Fields fields={fields} known={known} role={role} />
    </FormDialog>
  )
}

const rowsOfBase = ({ roles }: RolesKnown, base: Role) =>
  (roles.find(({ builtIn, name }) => builtIn && name === base)?.rows ?? {}) as RoleDraft['rows']

type FieldsProps = {
  fields: FormFields<RoleDraft>
  known: RolesKnown
  /** The one that is changed. */
  role?: RoleRecord
}

function Fields({ fields, known, role }: FieldsProps) {
  const { values, put, text } = fields
  const { permissions: held } = useSession()
  const left = leftOut(values, known.permissions, held)
  const changeBase = (base: Role) => {
    // Whose records it sees goes with the base, until somebody chose otherwise.
    if (JSON.stringify(values.rows) === JSON.stringify(rowsOfBase(known, values.base)))
      put('rows', rowsOfBase(known, base))
    put('base', base)
  }
  return (
    <>
      <TextField label={t('name')} maxLength={100} {...text('name')} />
      {role === undefined ? (
        <SelectField
          label={t('base')}
          hint={baseText(values.base)}
          options={baseRoles.map(base => ({ value: base, label: base }))}
          value={values.base}
          error={fields.fields['base']}
          onChange={event => changeBase(event.target.value as Role)}
        />
      ) : (
        <TextField label={t('base')} hint={t('baseFixed')} value={values.base} disabled />
      )}
      <TextArea
        className={record['wide']}
        label={t('forWhom')}
        optional
        maxLength={500}
        rows={2}
        {...text('description')}
      />
      <fieldset className={styles['rows']}>
        <legend>{t('rows')}</legend>
        <p className={styles['note']}>{t('rowsText')}</p>
        {known.kinds.map(kind => (
          <div key={kind} className={styles['row']}>
            <span>{kindWord(kind)}</span>
            <SegmentedControl
              label={t('rowsOf', { kind: kindWord(kind) })}
              options={rowScopes.map(value => ({ value, label: t(`scope.${value}`) }))}
              value={values.rows[kind] ?? 'all'}
              onChange={scope => put('rows', { ...values.rows, [kind]: scope })}
            />
          </div>
        ))}
      </fieldset>
      <div className={record['wide']}>
        <strong>{t('may')}</strong>
        {left.length > 0 && (
          <p className={styles['note']} role="status">
            {t('leftOut', { list: listText(left.map(({ permission }) => labelOf(permission))) })}
          </p>
        )}
      </div>
      <PermissionMatrix
        draft={values}
        vocabulary={known.permissions}
        held={held}
        onChange={permissions => put('permissions', permissions)}
      />
    </>
  )
}

/** Kinds of records are called as the permissions on them. */
export const kindWord = (kind: string) => wordOf(kind) ?? kind.charAt(0).toUpperCase() + kind.slice(1)
