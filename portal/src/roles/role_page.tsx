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
import { differenceOf, draftOf, mayGive, type RoleDraft, type Rows, scopeSentences, scopeWords } from './draft.ts'
import { HeldPermissions, Sentences } from './permission_groups.tsx'
import { kindWord, UpdateRole } from './role_form.tsx'
import { RoleMembers } from './role_members.tsx'
import styles from './roles.module.css'

// The list of all endpoints is long.
const RoleEndpoints = lazyPart(() => import('./role_endpoints.tsx').then(module => module.RoleEndpoints))

export function RoleScreen() {
  const { id } = useParams({ strict: false }) as { id: string }
  const { permissions } = useSession()
  if (!permissions.has('users:read')) return <Refused title="Roles" />
  return (
    <InLiveMode>
      <RolePage key={id} id={id} />
    </InLiveMode>
  )
}

function RolePage({ id }: { id: string }) {
  const query = useRoles()
  useLiveResource(id, () => void query.refetch())
  const role = query.data?.roles.find(({ key }) => key === id)
  return (
    <>
      <PageHeader
        title={role?.name ?? `Role ${id}`}
        heading={role?.name ?? 'Role'}
        description={
          <>
            <TextLink to="/roles">All roles</TextLink> / <code>{id}</code>
            {role?.roleId != null && <CopyButton text={id} label="Copy the id" />}
          </>
        }
        actions={role !== undefined && query.data !== undefined && <RoleActions role={role} known={query.data} />}
      />
      {query.isPending ? (
        <LoadingRows label="Loading the role" />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : role === undefined ? (
        <EmptyState
          title="There is no such role"
          text="It may be deleted, or the address is mistyped."
          action={<ButtonLink to="/roles">All roles</ButtonLink>}
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
        Copy
      </ButtonLink>
      {!role.builtIn && mayGive(role, held) && (
        <Button variant="primary" onClick={() => setChanged({ role, values: draftOf(role) })}>
          Change
        </Button>
      )}
      {!role.builtIn && <Button onClick={() => setDeleting(true)}>Delete</Button>}
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
      <Card title="What it is">
        <DescriptionList
          items={[
            { term: 'For', detail: description || '–' },
            {
              term: 'Kind',
              detail: builtIn ? 'Built in: everybody has it, and it does not change.' : 'Of the organization’s own',
            },
            ...(builtIn ? [] : [{ term: 'Made of', detail: `${base}. ${baseText(base)}` }]),
            { term: 'Members', detail: members },
            ...(createdAt === null ? [] : [{ term: 'Created', detail: <Moment iso={createdAt} /> }]),
            ...(updatedAt === null ? [] : [{ term: 'Updated', detail: <Moment iso={updatedAt} /> }]),
          ]}
        />
        {!builtIn && held.has('roles:manage') && !mayGive(role, held) && (
          <p className={styles['note']}>It holds more than you do, so it is changed by somebody who holds as much.</p>
        )}
      </Card>
      <Card title="Whose records it sees">
        <DescriptionList
          items={Object.entries(rows as Rows).map(([kind, scope]) => ({
            term: kindWord(kind),
            detail: scopeSentences[scope],
          }))}
        />
      </Card>
      <Card title="What it may do">
        <HeldPermissions permissions={permissions} vocabulary={known.permissions} />
      </Card>
      <CompareCard role={role} known={known} />
      <Suspense fallback={<LoadingRows label="Loading the endpoints" rows={3} />}>
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
    <Card title="Compare with another role">
      <div className={styles['stack']}>
        <SelectField
          label="Other role"
          options={[{ value: '', label: 'None' }, ...others.map(one => ({ value: one.key, label: one.name }))]}
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
  if (onlyOne.length + onlyOther.length + rows.length === 0)
    return <p className={styles['note']}>They may do the same, and see the same records.</p>
  const sides = [
    { title: `Only ${role.name}`, only: onlyOne },
    { title: `Only ${other.name}`, only: onlyOther },
  ]
  return (
    <>
      {rows.length > 0 && (
        <DescriptionList
          items={rows.map(({ kind, one, other: theirs }) => ({
            term: kindWord(kind),
            detail: `${role.name}: ${scopeWords[one].toLowerCase()}. ${other.name}: ${scopeWords[theirs].toLowerCase()}.`,
          }))}
        />
      )}
      <div className={styles['columns']}>
        {sides.map(({ title, only }) => (
          <section key={title}>
            <h3>{title}</h3>
            {only.length === 0 ? (
              <p className={styles['note']}>Nothing.</p>
            ) : (
              <Sentences label={title} list={vocabulary.filter(({ permission }) => only.includes(permission))} />
            )}
          </section>
        ))}
      </div>
    </>
  )
}
