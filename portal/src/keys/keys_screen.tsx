// API keys: what each may do, when it was last used and how that went; create, rotate with overlap, revoke.
import type { ApiKey, ApiKeysCreateReply } from '@tandem/sdk'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { UserName } from '../nouns/user_name.tsx'
import { Chip, IdLink, relativeTime, StatusChip } from '../ui/index.ts'
import { KeyActions } from './key_actions.tsx'
import { KeyForm } from './key_form.tsx'
import { KeySecret } from './key_secret.tsx'
import { isForgotten, maskedKey, scopesText, stateOfKey } from './key_state.ts'
import { Outcome } from './key_usage.tsx'
import styles from './keys.module.css'

const keys: Resource<ApiKey> = {
  many: 'keys',
  about:
    'Programs use these to act with your rights, or with fewer. The secret of a key is shown once and never stored.',
  from: api => api.apiKeys.list,
  id: 'keyId',
  nameOf: ({ name }) => name,
  filters: [
    {
      name: 'mode',
      label: 'Mode',
      all: 'Live and test',
      options: [
        { value: 'live', label: 'Live' },
        { value: 'test', label: 'Test' },
      ],
      asked: value => (value === 'live' || value === 'test' ? { mode: value } : {}),
    },
    {
      name: 'active',
      label: 'State',
      all: 'Working',
      options: [
        { value: 'no', label: 'Revoked or expired' },
        { value: 'any', label: 'All' },
      ],
      asked: value => (value === 'any' ? {} : { active: value !== 'no' }),
    },
  ],
  columns: [
    { name: 'name', label: 'Name', px: 160 },
    {
      name: 'keyId',
      label: 'Key',
      px: 160,
      hasControls: true,
      cell: key => <IdLink id={key.keyId}>{maskedKey(key)}</IdLink>,
    },
    {
      name: 'mode',
      label: 'Mode',
      px: 80,
      atFirst: 'wide',
      cell: key => <Chip tone={key.mode === 'live' ? 'neutral' : 'warn'}>{key.mode.toUpperCase()}</Chip>,
    },
    { name: 'state', label: 'State', px: 110, cell: key => <StatusChip status={stateOfKey(key, Date.now())} /> },
    { name: 'hint', label: 'To do', px: 150, cell: Hint },
    {
      name: 'scopes',
      label: 'May',
      px: 170,
      atFirst: 'wide',
      cell: ({ scopes }) => <span title={scopesText(scopes)}>{scopesText(scopes)}</span>,
    },
    { name: 'lastUsedAt', label: 'Last used', kind: 'time', px: 110, atFirst: 'wide' },
    {
      name: 'outcome',
      label: 'Last 24 hours',
      hasControls: true,
      atFirst: 'wide',
      cell: key => <Outcome apiKey={key} />,
    },
    { name: 'expiresAt', label: 'Ends', px: 100, atFirst: 'wide', cell: Ends },
    { name: 'userId', label: 'Owner', px: 130, atFirst: 'wide', cell: ({ userId }) => <UserName id={userId} /> },
    { name: 'createdAt', label: 'Created', kind: 'time', atFirst: 'wide' },
    {
      name: 'parentId',
      label: 'Made with',
      hasControls: true,
      atFirst: 'never',
      cell: one => one.parentId !== null && <IdLink id={one.parentId} />,
    },
  ],
  actions: { px: 80, cell: key => <KeyActions apiKey={key} /> },
  create: { label: 'Create an API key', Form: CreateDialog },
  empty: {
    title: 'No API keys yet',
    text: 'A program needs one to call the API. Begin with a test key: it reaches only the simulator.',
  },
}

export const KeysScreen = () => <ResourceScreen of={keys} />

/** The form, then the secret of what it made. */
function CreateDialog({ onClose }: { onClose(): void }) {
  const show = useHeldDialog()
  const created = (made: ApiKeysCreateReply) => {
    show(onDone => <KeySecret made={made} onDone={onDone} />)
    onClose()
  }
  return <KeyForm onClose={onClose} onCreated={created} />
}

/** What needs doing about a key. */
function hintOf(key: ApiKey, nowMs: number): string | undefined {
  if (isForgotten(key, nowMs)) return 'Unused for 30 days. Revoke it if nothing needs it.'
  const state = stateOfKey(key, nowMs)
  if (state === 'ending') return 'Rotated: bring the new secret to every program before it ends.'
  if (state === 'active' && key.expiresAt !== null && Date.parse(key.expiresAt) - nowMs < soonMs) {
    return `Expires ${relativeTime(key.expiresAt, nowMs)}. Rotate it in time.`
  }
  return undefined
}
const soonMs = 7 * 86_400_000

function Hint(key: ApiKey) {
  const hint = hintOf(key, Date.now())
  return (
    hint !== undefined && (
      <span className={styles['hint']} title={hint}>
        {hint}
      </span>
    )
  )
}

/** A moment to come or past, relative, with the exact one beside the pointer. */
function Ends({ revokedAt, expiresAt }: ApiKey) {
  const iso = revokedAt ?? expiresAt
  if (iso === null) return 'Never'
  return (
    <time dateTime={iso} title={new Date(iso).toLocaleString()}>
      {relativeTime(iso, Date.now())}
    </time>
  )
}
