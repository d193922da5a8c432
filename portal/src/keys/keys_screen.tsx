// API keys: what each may do, when it was last used and how that went; create, rotate with overlap, revoke.

import type { ApiKey, ApiKeysCreateReply } from '@tandem/sdk'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { UserName } from '../nouns/user_name.tsx'
import { Chip, IdLink, relativeTime, toneOfState } from '../ui/index.ts'
import { momentText } from '../words/format.ts'
import { byLanguage } from '../words/words.ts'
import { KeyActions } from './key_actions.tsx'
import { KeyForm } from './key_form.tsx'
import { KeySecret } from './key_secret.tsx'
import { isForgotten, maskedKey, scopesText, stateOfKey } from './key_state.ts'
import { Outcome } from './key_usage.tsx'
import styles from './keys.module.css'
import { t } from './texts.ts'

const keys = byLanguage(
  (): Resource<ApiKey> => ({
    many: 'keys',
    things: t('things'),
    about: t('about'),
    from: api => api.apiKeys.list,
    id: 'keyId',
    nameOf: ({ name }) => name,
    filters: [
      {
        name: 'mode',
        label: t('mode'),
        all: t('liveAndTest'),
        options: [
          { value: 'live', label: t('live') },
          { value: 'test', label: t('test') },
        ],
        asked: value => (value === 'live' || value === 'test' ? { mode: value } : {}),
      },
      {
        name: 'active',
        label: t('state'),
        all: t('working'),
        options: [
          { value: 'no', label: t('dead') },
          { value: 'any', label: t('all') },
        ],
        asked: value => (value === 'any' ? {} : { active: value !== 'no' }),
      },
    ],
    columns: [
      { name: 'name', label: t('name'), px: 160 },
      {
        name: 'keyId',
        label: t('key'),
        px: 160,
        hasControls: true,
        cell: key => <IdLink id={key.keyId}>{maskedKey(key)}</IdLink>,
      },
      {
        name: 'mode',
        label: t('mode'),
        px: 80,
        atFirst: 'wide',
        cell: key => <Chip tone={key.mode === 'live' ? 'neutral' : 'warn'}>{t(`mode.${key.mode}`)}</Chip>,
      },
      { name: 'state', label: t('state'), px: 110, cell: StateChip },
      { name: 'hint', label: t('toDo'), px: 150, cell: Hint },
      {
        name: 'scopes',
        label: t('may'),
        px: 170,
        atFirst: 'wide',
        cell: ({ scopes }) => <span title={scopesText(scopes)}>{scopesText(scopes)}</span>,
      },
      { name: 'lastUsedAt', label: t('lastUsed'), kind: 'time', px: 110, atFirst: 'wide' },
      {
        name: 'outcome',
        label: t('last24'),
        hasControls: true,
        atFirst: 'wide',
        cell: key => <Outcome apiKey={key} />,
      },
      { name: 'expiresAt', label: t('ends'), px: 100, atFirst: 'wide', cell: Ends },
      { name: 'userId', label: t('owner'), px: 130, atFirst: 'wide', cell: ({ userId }) => <UserName id={userId} /> },
      { name: 'createdAt', label: t('created'), kind: 'time', atFirst: 'wide' },
      {
        name: 'parentId',
        label: t('madeWith'),
        hasControls: true,
        atFirst: 'never',
        cell: one => one.parentId !== null && <IdLink id={one.parentId} />,
      },
    ],
    actions: { px: 80, cell: key => <KeyActions apiKey={key} /> },
    create: { label: t('create'), Form: CreateDialog },
    empty: {
      title: t('none'),
      text: t('noneText'),
    },
  }),
)

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

function StateChip(key: ApiKey) {
  const state = stateOfKey(key, Date.now())
  return (
    <Chip tone={toneOfState(state)} dot>
      {t(`state.${state}`)}
    </Chip>
  )
}

/** What needs doing about a key. */
function hintOf(key: ApiKey, nowMs: number): string | undefined {
  if (isForgotten(key, nowMs)) return t('hintUnused')
  const state = stateOfKey(key, nowMs)
  if (state === 'ending') return t('hintRotated')
  if (state === 'active' && key.expiresAt !== null && Date.parse(key.expiresAt) - nowMs < soonMs) {
    return t('hintExpires', { when: relativeTime(key.expiresAt, nowMs) })
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
  if (iso === null) return t('never')
  return (
    <time dateTime={iso} title={momentText(new Date(iso))}>
      {relativeTime(iso, Date.now())}
    </time>
  )
}
