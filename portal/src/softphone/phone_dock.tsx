// The phone on every screen: it is at the lower edge while a call rings or is on, or has something to say.
import { useQuery } from '@tanstack/react-query'
import { Forward, Grid3x3, Mic, MicOff, Pause, Phone, PhoneOff, Play, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { readRecord } from '../data/records.ts'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ErrorNote, IconButton, TextField, TextLink } from '../ui/index.ts'
import { useLanguage } from '../words/language.ts'
import { dial } from './actions.ts'
import { AfterCalls } from './after_calls.tsx'
import { Keypad } from './keypad.tsx'
import styles from './phone.module.css'
import { startRinging } from './ring.ts'
import {
  dropCall,
  hangUp,
  pressKey,
  refuseCall,
  setHeld,
  setMuted,
  settleLine,
  takeCall,
  transferTo,
} from './signaling.ts'
import { changePhone, type PhoneCall, usePhone } from './store.ts'
import { t } from './texts.ts'
import { calledBy, durationText } from './words.ts'

const noteMs = 6_000

export function PhoneDock() {
  useLanguage()
  const { mode, permissions, user } = useSession()
  const { isOn, isAsking, isDialing, handset, call, ringing, ended, fault, note } = usePhone()
  const noted = permissions.has('calls:control') ? ended.filter(one => one.mode === mode && one.userId === user.id) : []
  const hasCall = call !== undefined
  const mayRing = permissions.has('phone:use')
  // biome-ignore lint/correctness/useExhaustiveDependencies: a call keeps the connection open, and its end may close it
  useEffect(() => {
    settleLine(mode, { isRung: isOn && mayRing, handset: mayRing ? handset : null })
  }, [mode, isOn, handset, mayRing, hasCall])
  // Who logs out, or leaves the page, is no phone any more.
  useEffect(() => () => settleLine(undefined, { isRung: false, handset: null }), [])
  useEffect(() => {
    if (!hasCall) return undefined
    window.addEventListener('pagehide', dropCall)
    return () => window.removeEventListener('pagehide', dropCall)
  }, [hasCall])
  useEffect(() => {
    if (note === null || note === '') return undefined
    const timer = setTimeout(() => changePhone({ note: null }), noteMs)
    return () => clearTimeout(timer)
  }, [note])
  const isRinging = ringing.length > 0 && !hasCall
  useEffect(() => (isRinging ? startRinging() : undefined), [isRinging])
  const announcement = isRinging ? t('callFrom', { name: nameOf(ringing[0] as PhoneCall) }) : (note ?? '')
  const canDial = isDialing !== false && !isAsking && !hasCall && ringing.length === 0
  // The card of a call says itself why that ended.
  const isSaid = noted.some(({ why }) => why === note)
  const isShown =
    noted.length > 0 || hasCall || ringing.length > 0 || isAsking || canDial || fault !== null || (note ?? '') !== ''
  return (
    <>
      <div role="status" className="visually-hidden">
        {announcement}
      </div>
      {isShown && (
        <section className={styles['dock']} data-softphone="" aria-label={t('softphone')} data-mode={mode}>
          {isAsking && <p>{t('asking')}</p>}
          {fault !== null && (
            <div className={styles['fault']}>
              <ErrorNote text={fault} />
              <IconButton label={t('close')} icon={<X size={16} />} onClick={() => changePhone({ fault: null })} />
            </div>
          )}
          {canDial && <Dialer isOn={isOn} isAsked={isDialing === 'asked'} />}
          {call !== undefined && <OnCall call={call} />}
          {ringing.map(one => (
            <Ringing key={one.callId} call={one} canTake={!hasCall} />
          ))}
          {noted.length > 0 && <AfterCalls calls={noted} isBusy={hasCall || ringing.length > 0} />}
          {!isSaid && !hasCall && ringing.length === 0 && (note ?? '') !== '' && <p aria-hidden="true">{note}</p>}
        </section>
      )}
    </>
  )
}

function nameOf({ name, other }: PhoneCall): string {
  return name ?? other
}

/** The lead, where there is one the person may see; else what is known of the number. */
function Who({ call }: { call: PhoneCall }) {
  const { mode, permissions } = useSession()
  const { leadId, other } = call
  const lead = useQuery({
    queryKey: [mode, 'lead', String(leadId)],
    queryFn: ({ signal }) => readRecord('lead', apiOf(mode), String(leadId), signal),
    enabled: leadId !== null && permissions.has('leads:read'),
  })
  const name = lead.data?.name ?? call.name
  return (
    <span className={styles['who']}>
      {leadId !== null && lead.data !== undefined ? (
        <TextLink to="/leads/$id" params={{ id: String(leadId) }}>
          {name}
        </TextLink>
      ) : (
        <b>{name ?? other}</b>
      )}
      {name !== null && name !== other && <small>{other}</small>}
    </span>
  )
}

function Ringing({ call, canTake }: { call: PhoneCall; canTake: boolean }) {
  const accept = useRef<HTMLButtonElement>(null)
  return (
    <div className={styles['row']} data-rings="">
      <span className={styles['bell']} aria-hidden="true">
        <Phone size={18} />
      </span>
      <Who call={call} />
      <span className={styles['actions']}>
        {canTake && (
          <Button ref={accept} variant="primary" icon={<Phone size={14} />} onClick={() => void takeCall(call)}>
            {t('accept')}
          </Button>
        )}
        <Button variant="danger" icon={<PhoneOff size={14} />} onClick={() => void refuseCall(call)}>
          {t('reject')}
        </Button>
      </span>
    </div>
  )
}

function OnCall({ call }: { call: PhoneCall }) {
  const { permissions } = useSession()
  const [open, setOpen] = useState<'keys' | 'transfer'>()
  const [error, setError] = useState<string>()
  const mayControl = permissions.has('calls:control') && call.phase === 'talking'
  const tried = (work: Promise<void>) => {
    setError(undefined)
    work.catch(fault => setError(faultText(fault)))
  }
  const toggle = (what: 'keys' | 'transfer') => setOpen(old => (old === what ? undefined : what))
  return (
    <>
      <div className={styles['row']}>
        <Who call={call} />
        <Standing call={call} />
        <span className={styles['actions']}>
          <IconButton
            label={t(call.isMuted ? 'unmute' : 'mute')}
            aria-pressed={call.isMuted}
            icon={call.isMuted ? <MicOff size={16} /> : <Mic size={16} />}
            onClick={() => setMuted(!call.isMuted)}
          />
          <IconButton
            label={t('keypad')}
            aria-expanded={open === 'keys'}
            icon={<Grid3x3 size={16} />}
            onClick={() => toggle('keys')}
          />
          {mayControl && (
            <>
              <IconButton
                label={t(call.isHeld ? 'resume' : 'hold')}
                aria-pressed={call.isHeld}
                icon={call.isHeld ? <Play size={16} /> : <Pause size={16} />}
                onClick={() => tried(setHeld(!call.isHeld))}
              />
              <IconButton
                label={t('transfer')}
                aria-expanded={open === 'transfer'}
                icon={<Forward size={16} />}
                onClick={() => toggle('transfer')}
              />
            </>
          )}
          <Button variant="danger" icon={<PhoneOff size={14} />} onClick={() => void hangUp()}>
            {t('hangUp')}
          </Button>
        </span>
      </div>
      {error !== undefined && <ErrorNote text={error} />}
      {open === 'keys' && <Keypad onPress={pressKey} />}
      {open === 'transfer' && mayControl && <Transfer onTransfer={number => tried(transferTo(calledBy(number)))} />}
    </>
  )
}

function Standing({ call }: { call: PhoneCall }) {
  const [nowMs, setNowMs] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 500)
    return () => clearInterval(timer)
  }, [])
  if (call.phase !== 'talking' || call.sinceMs === null)
    return <span className={styles['standing']}>{call.phase === 'talking' ? '' : t(`phase.${call.phase}`)}</span>
  return (
    <span className={styles['standing']}>
      {call.isHeld ? `${t('onHold')} ` : ''}
      <span role="timer" aria-label={t('duration')}>
        {durationText(nowMs - call.sinceMs)}
      </span>
    </span>
  )
}

function Transfer({ onTransfer }: { onTransfer(number: string): void }) {
  const [number, setNumber] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (number.trim() !== '') onTransfer(number.trim())
  }
  return (
    <form className={styles['transfer']} onSubmit={submit}>
      <TextField
        label={t('transferTo')}
        hint={t('transferHint')}
        inputMode="tel"
        value={number}
        onChange={event => setNumber(event.target.value)}
      />
      <Button type="submit" disabled={number.trim() === ''}>
        {t('transferDo')}
      </Button>
    </form>
  )
}

/** Calls what is typed: a number, an address, or a colleague. */
function Dialer({ isOn, isAsked }: { isOn: boolean; isAsked: boolean }) {
  const [who, setWho] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!isAsked) return
    // The palette gives the focus back first.
    const timer = setTimeout(() => {
      field.current?.focus()
      changePhone({ isDialing: true })
    })
    return () => clearTimeout(timer)
  }, [isAsked])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (who.trim() !== '') void dial({ to: calledBy(who) })
  }
  return (
    <form className={styles['dialer']} onSubmit={submit}>
      <TextField
        ref={field}
        label={t('call')}
        hint={t('dialHint', { isOn: String(isOn) })}
        value={who}
        onChange={event => setWho(event.target.value)}
      />
      <Button type="submit" variant="primary" icon={<Phone size={14} />} disabled={who.trim() === ''}>
        {t('call')}
      </Button>
      <IconButton label={t('close')} icon={<X size={16} />} onClick={() => changePhone({ isDialing: false })} />
    </form>
  )
}
