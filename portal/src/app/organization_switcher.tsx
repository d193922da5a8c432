// The way to another organization, for who is a member of more than one or may make one: the portal begins again there.
import { useQuery } from '@tanstack/react-query'
import { ChevronsUpDown } from 'lucide-react'
import { cloneElement, lazy, Suspense, useState } from 'react'
import { apiOf } from '../session/api.ts'
import { switchOrganization, useSession } from '../session/session.ts'
import { useSignUpMode } from '../sign_up/mode.ts'
import { problemText } from '../ui/faults.ts'
import { Button, Dialog, Menu, TextField, toast } from '../ui/index.ts'
import styles from './shell.module.css'
import { t } from './texts.ts'

const CreateOrganization = lazy(() =>
  import('./create_organization.tsx').then(module => ({ default: module.CreateOrganization })),
)

/** The name alone for the many who are members of one and may make none. */
export function OrganizationSwitcher() {
  const mode = useSignUpMode()
  const creates = mode === 'invite' || mode === 'open'
  const { organizations, organizationName } = useSession()
  if (organizations > 1 || creates) return <Switcher mode={creates ? mode : undefined} />
  return (
    <span className={styles['organization']} dir="auto" data-testid="organization">
      {organizationName}
    </span>
  )
}

/** As many as a menu shows at once; of more, the name is typed. */
const maxInMenu = 8

async function go(organizationId: number): Promise<void> {
  const refusal = await switchOrganization(organizationId)
  if (refusal !== undefined) toast({ text: problemText(refusal.code, refusal.message), tone: 'bad' })
}

type Own = { organizationId: number; name: string; role: string; isCurrent: boolean }
const labelOf = ({ name, role, isCurrent }: Own) =>
  t(isCurrent ? 'organizationHere' : 'organizationOption', { name, role })

function Switcher({ mode }: { mode: 'invite' | 'open' | undefined }) {
  const { user, organizationName } = useSession()
  const [creating, setCreating] = useState(false)
  const { data } = useQuery({
    queryKey: ['live', 'own_organizations', user.id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => apiOf('live').ownOrganizations.list({}, { signal }),
  })
  const [isOpen, setOpen] = useState(false)
  const organizations = data?.organizations ?? []
  const trigger = (
    <button type="button" className={styles['organization']} aria-label={t('organization', { name: organizationName })}>
      <span dir="auto">{organizationName}</span>
      <ChevronsUpDown size={14} aria-hidden="true" />
    </button>
  )
  const others = organizations.map(one => ({
    key: String(one.organizationId),
    label: labelOf(one),
    disabled: one.isCurrent,
    onSelect: () => void go(one.organizationId),
  }))
  const create = { key: 'create', label: t('create'), onSelect: () => setCreating(true) }
  return (
    <>
      {organizations.length > maxInMenu ? (
        cloneElement(trigger, { 'aria-haspopup': 'dialog', onClick: () => setOpen(true) })
      ) : (
        <Menu trigger={trigger} items={mode === undefined ? others : [...others, create]} />
      )}
      {isOpen && (
        <ChooseDialog
          organizations={organizations}
          onClose={() => setOpen(false)}
          {...(mode !== undefined && { onCreate: create.onSelect })}
        />
      )}
      {creating && mode !== undefined && (
        <Suspense fallback={null}>
          <CreateOrganization needsCode={mode === 'invite'} onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  )
}

type ChooseProps = { organizations: readonly Own[]; onClose(): void; onCreate?(): void }

function ChooseDialog({ organizations, onClose, onCreate }: ChooseProps) {
  const [typed, setTyped] = useState('')
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const found = organizations.filter(({ name }) => words.every(word => name.toLowerCase().includes(word)))
  const first = found.find(({ isCurrent }) => !isCurrent)
  const choose = (one: Own) => {
    onClose()
    void go(one.organizationId)
  }
  return (
    <Dialog open onOpenChange={open => !open && onClose()} title={t('organizationGo')}>
      <form
        className={styles['choose']}
        onSubmit={event => {
          event.preventDefault()
          if (first !== undefined) choose(first)
        }}
      >
        <TextField
          label={t('organizationName')}
          hint={first === undefined ? t('organizationNone') : t('organizationFirst', { name: first.name })}
          autoComplete="off"
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
        <ul aria-label={t('organizations')}>
          {found.map(one => (
            <li key={one.organizationId}>
              <Button disabled={one.isCurrent} onClick={() => choose(one)}>
                {labelOf(one)}
              </Button>
            </li>
          ))}
        </ul>
        {onCreate !== undefined && (
          <Button
            onClick={() => {
              onClose()
              onCreate()
            }}
          >
            {t('create')}
          </Button>
        )}
      </form>
    </Dialog>
  )
}
