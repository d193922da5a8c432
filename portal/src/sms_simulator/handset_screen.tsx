// The virtual handset: a phone on the page. It has a number of the simulator, receives what is sent there, and answers.
import { useNavigate } from '@tanstack/react-router'
import { RadioTower, Smartphone } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import { type Carrier, useCarriers } from '../data/messaging_lists.ts'
import { useCurrentScreen } from '../navigation/current_screen.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useSession } from '../session/session.ts'
import { Combobox, type ComboboxOption } from '../ui/combobox.tsx'
import { Button, ButtonLink, Card, EmptyState, LoadingRows, PageHeader } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { listText } from '../words/format.ts'
import { useLanguage } from '../words/language.ts'
import styles from './handset.module.css'
import { NotSent } from './not_sent.tsx'
import { defaultNumber, freshNumber, knownNumbers, simulatorNumber, spokenNumber } from './numbers.ts'
import { Phone } from './phone.tsx'
import { TextEvents } from './text_events.tsx'
import { TextMe } from './text_me.tsx'
import { t } from './texts.ts'
import { useHandset } from './use_handset.ts'

const DialPad = lazyPart(() => import('../softphone/dial_pad.tsx').then(module => module.DialPad))

export function HandsetScreen() {
  const { permissions, mode } = useSession()
  const carriers = useCarriers()
  const { name } = useCurrentScreen()
  if (!permissions.has('messages:read')) return <Refused title={name} />
  return (
    <>
      <PageHeader title={name} description={t(mode === 'test' ? 'aboutTest' : 'aboutLive')} />
      {carriers.isPending ? (
        <LoadingRows label={t('loadingCarriers')} rows={2} />
      ) : carriers.items.length > 0 ? (
        <NotInUse carriers={carriers.items} />
      ) : (
        <Handset />
      )}
    </>
  )
}

function NotInUse({ carriers }: { carriers: readonly Carrier[] }) {
  const { setMode } = useSession()
  const names = carriers.map(({ name }) => name)
  const summary = names.length > 3 ? t('andMore', { names: names.slice(0, 3).join(', ') }) : listText(names)
  return (
    <Card>
      <EmptyState
        icon={<RadioTower size={20} />}
        title={t('notUsed')}
        text={t('notUsedText', { carriers: summary })}
        action={
          <>
            <Button variant="primary" onClick={() => setMode('test')}>
              {t('switchToTest')}
            </Button>
            <ButtonLink to="/carriers">{t('carriers')}</ButtonLink>
          </>
        }
      />
    </Card>
  )
}

function Handset() {
  const [params, change] = useParamsOfAddress()
  const number = simulatorNumber(params['number'] ?? '') ?? defaultNumber
  return (
    <>
      <NumberPicker
        number={number}
        wrong={params['number'] !== undefined && simulatorNumber(params['number']) === undefined}
        onPick={next => change({ number: next, with: undefined }, { push: true })}
      />
      <Desk key={number} number={number} />
    </>
  )
}

type NumberPickerProps = { number: string; wrong: boolean; onPick(number: string): void }
function NumberPicker({ number, wrong, onPick }: NumberPickerProps) {
  const { mode } = useSession()
  const language = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: hints are said in the language
  const options = useMemo(() => {
    const known: ComboboxOption[] = knownNumbers.map(({ number: value, does }) => ({
      value,
      label: spokenNumber(value),
      hint: t(mode === 'test' ? `does.${does}` : 'switchedOn'),
      keywords: value,
    }))
    if (!knownNumbers.some(({ number: value }) => value === number))
      known.unshift({
        value: number,
        label: spokenNumber(number),
        hint: t('switchedOn'),
        keywords: number,
      })
    return known
  }, [number, mode, language])
  return (
    <div className={styles['picker']}>
      <Combobox
        label={t('numberLabel')}
        options={options}
        value={number}
        freeText
        {...(wrong ? { error: t('wrongNumber') } : {})}
        hint={t('numberHint', { does: options.find(({ value }) => value === number)?.hint ?? '' })}
        // Only the end is typed: the rest is known.
        onChange={next => onPick(simulatorNumber(next) ?? next)}
      />
      <Button icon={<Smartphone size={14} />} onClick={() => onPick(freshNumber())}>
        {t('freshNumber')}
      </Button>
    </div>
  )
}

function Desk({ number }: { number: string }) {
  const navigate = useNavigate()
  const [params] = useParamsOfAddress()
  const { permissions, mode } = useSession()
  const handset = useHandset(number)
  const open = (partner: string | undefined) =>
    void navigate({ to: '.', search: (old: Record<string, unknown>) => ({ ...old, with: partner }), replace: true })
  return (
    <div className={styles['desk']}>
      <Phone number={number} handset={handset} partner={params['with']} onOpen={open} />
      <div className={styles['beside']}>
        <Suspense fallback={null}>
          <DialPad number={number} />
        </Suspense>
        {permissions.has('messages:send') && <TextMe number={number} onSent={open} />}
        <TextEvents texts={handset.texts} mayHear={handset.mayHear} live={handset.live} />
        {mode === 'live' && <NotSent />}
      </div>
    </div>
  )
}
