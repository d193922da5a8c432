// One role: what it is made of, whose records it sees, what it may do, who has it, and how it differs from another.
import { useParams } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useLiveResource } from '../data/live_records.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { CopyButton } from '../ui/code.tsx'
import {
  Button,
  ButtonLink,
  Card,
  DescriptionList,
  EmptyState,
  ErrorState,
  LoadingRows,
  Moment,
  PageHeader,
  SelectField,
  TextLink,
} from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { baseText } from './base.ts'
import { type RoleRecord, type RolesKnown, useRoles, type Vocabulary } from './data.ts'
import { DeleteRole } from './delete_role.tsx'
import { differenceOf, draftOf, type RoleDraft, type Rows } from './draft.ts'
import { mayGive } from './may_give.ts'
import { HeldPermissions, Sentences } from './permission_groups.tsx'
import { kindWord, UpdateRole } from './role_form.tsx'
import { RoleMembers } from './role_members.tsx'
import styles from './roles.module.css'
import { t } from './texts.ts'

// The list of all endpoints is long.
const RoleEndpoints = lazyPart(() => import('./role_endpoints.tsx').then(module => module.RoleEndpoints))

export function RoleScreen() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { permissions } = useSession()
  if (!permissions.has('users:read')) return <Refused title={t('roles')} />
  return (
    <InLiveMode>
      <RolePage key={id} id={id} />
    </InLiveMode>
  )
}

function RolePage({ id }: { id: string }) {
  const query = useRoles()
  useLiveResource(id, ['role.*'], () => void query.refetch())
  const role = query.data?.roles.find(({ key }) => key === id)
  return (
    <>
      <PageHeader
        title={role?.name ?? t('roleId', { id })}
        heading={role?.name ?? t('role')}
        description={
          <>
            <TextLink to="/roles">{t('allRoles')}</TextLink> / <code>{id}</code>
            {role?.roleId != null && <CopyButton text={id} label={t('copyId')} />}
          </>
        }
        actions={role !== undefined && query.data !== undefined && <RoleActions role={role} known={query.data} />}
      />
      {query.isPending ? (
        <LoadingRows label={t('loading')} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : role === undefined ? (
        <EmptyState
          title={t('none')}
          text={t('noneText')}
          action={<ButtonLink to="/roles">{t('allRoles')}</ButtonLink>}
        />
      ) : (
        <RoleCards role={role} known={query.data} />
      )}
    </>
  )
}

type RoleProps = { role: RoleRecord; known: RolesKnown }

function RoleActions({ role, known }: RoleProps) {
  const { permissions: held } = useSession()
  // The version that was read when the form opened is the one that is changed.
  const [changed, setChanged] = useState<{ role: RoleRecord; values: RoleDraft }>()
  const [isDeleting, setDeleting] = useState(false)
  if (!held.has('roles:manage')) return null
  return (
    <>
      <ButtonLink to="/roles" search={{ create: '1', from: role.key } as never}>
        {t('copy')}
      </ButtonLink>
      {!role.builtIn && mayGive(role, held) && (
        <Button variant="primary" onClick={() => setChanged({ role, values: draftOf(role) })}>
          {t('edit')}
        </Button>
      )}
      {!role.builtIn && <Button onClick={() => setDeleting(true)}>{t('delete')}</Button>}
      {changed !== undefined && (
        <UpdateRole
          role={changed.role}
          known={known}
          state={{
            values: changed.values,
            change: next => setChanged(old => old && { ...old, values: next(old.values) }),
          }}
          onClose={() => setChanged(undefined)}
        />
      )}
      {isDeleting && <DeleteRole role={role} onClose={() => setDeleting(false)} />}
    </>
  )
}

function RoleCards({ role, known }: RoleProps) {
  const { permissions: held } = useSession()
  const { builtIn, base, description, members, permissions, rows, createdAt, updatedAt } = role
  return (
    <div className={styles['stack']}>
      <Card title={t('what')}>
        <DescriptionList
          items={[
            { term: t('description'), detail: description || '–' },
            {
              term: t('kind'),
              detail: t(builtIn ? 'whatBuiltIn' : 'whatOwn'),
            },
            ...(builtIn ? [] : [{ term: t('base'), detail: t('baseDetail', { base, text: baseText(base) }) }]),
            { term: t('members'), detail: members },
            ...(createdAt === null ? [] : [{ term: t('createdAt'), detail: <Moment iso={createdAt} /> }]),
            ...(updatedAt === null ? [] : [{ term: t('updated'), detail: <Moment iso={updatedAt} /> }]),
          ]}
        />
        {!builtIn && held.has('roles:manage') && !mayGive(role, held) && (
          <p className={styles['note']}>{t('holdsMore')}</p>
        )}
      </Card>
      <Card title={t('rows')}>
        <DescriptionList
          items={Object.entries(rows as Rows).map(([kind, scope]) => ({
            term: kindWord(kind),
            detail: t(`scopeSentence.${scope}`),
          }))}
        />
      </Card>
      <Card title={t('may')}>
        <HeldPermissions permissions={permissions} vocabulary={known.permissions} />
      </Card>
      <CompareCard role={role} known={known} />
      <Suspense fallback={<LoadingRows label={t('endpointsLoading')} rows={3} />}>
        <RoleEndpoints role={role} />
      </Suspense>
      {role.roleId !== null && <RoleMembers roleId={role.roleId} />}
    </div>
  )
}

function CompareCard({ role, known }: RoleProps) {
  const [key, setKey] = useState('')
  const others = known.roles.filter(other => other.key !== role.key)
  const other = others.find(one => one.key === key)
  return (
    <Card title={t('compare')}>
      <div className={styles['stack']}>
        <SelectField
          label={t('compareOther')}
          options={[
            { value: '', label: t('compareNone') },
            ...others.map(one => ({ value: one.key, label: one.name })),
          ]}
          value={other?.key ?? ''}
          onChange={event => setKey(event.target.value)}
        />
        {other !== undefined && <Comparison role={role} other={other} vocabulary={known.permissions} />}
      </div>
    </Card>
  )
}

type ComparisonProps = { role: RoleRecord; other: RoleRecord; vocabulary: Vocabulary }

function Comparison({ role, other, vocabulary }: ComparisonProps) {
  const { onlyOne, onlyOther, rows } = differenceOf(role, other)
  if (onlyOne.length + onlyOther.length + rows.length === 0) return <p className={styles['note']}>{t('compareSame')}</p>
  const sides = [
    { title: t('compareOnly', { name: role.name }), only: onlyOne },
    { title: t('compareOnly', { name: other.name }), only: onlyOther },
  ]
  return (
    <>
      {rows.length > 0 && (
        <DescriptionList
          items={rows.map(({ kind, one, other: theirs }) => ({
            term: kindWord(kind),
            detail: t('compareRows', {
              one: role.name,
              oneScope: t(`scopeIn.${one}`),
              other: other.name,
              otherScope: t(`scopeIn.${theirs}`),
            }),
          }))}
        />
      )}
      <div className={styles['columns']}>
        {sides.map(({ title, only }) => (
          <section key={title}>
            <h3>{title}</h3>
            {only.length === 0 ? (
              <p className={styles['note']}>{t('nothing')}</p>
            ) : (
              <Sentences label={title} list={vocabulary.filter(({ permission }) => only.includes(permission))} />
            )}
          </section>
        ))}
      </div>
    </>
  )
}
