// Who sends the request: one's login, one of one's keys, a pasted key or token, or nobody; and whether that will do here.
import { Check, CircleHelp, Eye, EyeOff, TriangleAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Endpoint } from '../../session/catalog.ts'
import type { Mode } from '../../session/session.ts'
import { Chip, IconButton, SelectField } from '../../ui/index.ts'
import { isComposing } from '../../ui/input_method.ts'
import type { CredentialRef } from '../request/request.ts'
import { permissionFit } from '../sending/explain.ts'
import type { Credential } from '../state/use_credential.ts'
import type { Acting } from '../state/use_playground.ts'
import styles from './credential.module.css'
import { OAuthToken } from './oauth_token.tsx'
import { t } from './texts.ts'

export type CredentialPickerProps = {
  credential: Credential
  /** Who the request will act as, when all is said. */
  acting: Acting
  endpoint: Endpoint | undefined
  isDocumented: boolean
  mode: Mode
}

export function CredentialPicker({ credential, acting, endpoint, isDocumented, mode }: CredentialPickerProps) {
  const { ref, choose, keys, token } = credential
  const value = ref.kind === 'key' ? ref.keyId : ref.kind
  const options = [
    { value: 'login', label: t('myLogin') },
    ...keys.map(key => ({ value: key.keyId, label: t('keyNamed', { name: key.name, lastFour: key.lastFour }) })),
    // A key of an earlier visit that is gone, or whose list has not come yet.
    ...(ref.kind === 'key' && !keys.some(key => key.keyId === ref.keyId)
      ? [{ value: ref.keyId, label: t('key') }]
      : []),
    { value: 'oauth', label: t('oauthToken') },
    { value: 'pasted', label: t('pastedToken') },
    { value: 'none', label: t('noCredential') },
  ]
  return (
    <div className={styles['credential']}>
      <SelectField
        className={styles['choice']}
        label={t('credential')}
        value={value}
        options={options}
        onChange={event => choose(refOf(event.target.value))}
      />
      {ref.kind === 'pasted' && <PasteField key={token === undefined ? 'empty' : 'held'} credential={credential} />}
      {ref.kind === 'oauth' && <OAuthToken credential={credential} endpoint={endpoint} />}
      <Verdict credential={credential} acting={acting} endpoint={endpoint} isDocumented={isDocumented} />
      {acting.mode !== mode && <Chip tone="bad">{t('actsIn', { mode: acting.mode })}</Chip>}
    </div>
  )
}

function refOf(value: string): CredentialRef {
  if (value === 'login' || value === 'oauth' || value === 'pasted' || value === 'none') return { kind: value }
  return { kind: 'key', keyId: value }
}

function PasteField({ credential }: { credential: Credential }) {
  const { token, paste, forget } = credential
  const [text, setText] = useState('')
  const [seen, setSeen] = useState(false)
  // What is shown in clear does not stay so.
  useEffect(() => {
    if (!seen) return undefined
    const timer = setTimeout(() => setSeen(false), 30_000)
    return () => clearTimeout(timer)
  }, [seen])
  if (token !== undefined) {
    return (
      <span className={styles['held']}>
        <input
          className={styles['secret']}
          type={seen ? 'text' : 'password'}
          aria-label={t('pastedToken')}
          autoComplete="off"
          readOnly
          value={token}
        />
        <IconButton
          size="sm"
          label={t(seen ? 'hide' : 'show')}
          icon={seen ? <EyeOff size={14} /> : <Eye size={14} />}
          onClick={() => setSeen(!seen)}
        />
        <button type="button" className={styles['forget']} onClick={forget}>
          {t('forget')}
        </button>
      </span>
    )
  }
  const commit = () => text.trim() !== '' && paste(text)
  return (
    <input
      className={styles['secret']}
      type="password"
      aria-label={t('pastedToken')}
      placeholder={t('pasteHint')}
      autoComplete="off"
      spellCheck={false}
      value={text}
      onChange={event => setText(event.target.value)}
      onPaste={event => {
        event.preventDefault()
        paste(event.clipboardData.getData('text'))
      }}
      onBlur={commit}
      onKeyDown={event => {
        if (event.key === 'Enter' && !isComposing(event)) commit()
      }}
    />
  )
}

function Verdict({
  credential,
  acting,
  endpoint,
  isDocumented,
}: Pick<CredentialPickerProps, 'credential' | 'acting' | 'endpoint' | 'isDocumented'>) {
  if (credential.error !== undefined) {
    return (
      <p className={styles['verdict']} data-verdict="denied" role="status">
        <TriangleAlert size={14} aria-hidden="true" />
        <span>{credential.error}</span>
      </p>
    )
  }
  // While the endpoint's own file is on its way there is nothing to say.
  if (isDocumented && endpoint === undefined) return null
  const fit = permissionFit(endpoint, acting.facts, acting.mode)
  const icon =
    fit.verdict === 'allowed' || fit.verdict === 'open' ? (
      <Check size={14} aria-hidden="true" />
    ) : fit.verdict === 'unknown' ? (
      <CircleHelp size={14} aria-hidden="true" />
    ) : (
      <TriangleAlert size={14} aria-hidden="true" />
    )
  const permissions = acting.facts?.permissions
  return (
    <p
      className={styles['verdict']}
      data-verdict={fit.verdict}
      title={permissions === undefined ? undefined : t('itHas', { permissions: [...permissions].sort().join(', ') })}
    >
      {icon}
      <span>{fit.text}</span>
    </p>
  )
}
