// The virtual handset: a phone on the page. It has a number of the simulator, receives what is sent there, and answers.
import { useNavigate } from '@tanstack/react-router'
import { RadioTower, Smartphone } from 'lucide-react'
import { Suspense, useMemo } from 'react'
import { type Carrier, useCarriers } from '../data/messaging_lists.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useSession } from '../session/session.ts'
import { Combobox, type ComboboxOption } from '../ui/combobox.tsx'
import { Button, ButtonLink, Card, EmptyState, LoadingRows, PageHeader } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import styles from './handset.module.css'
import { NotSent } from './not_sent.tsx'
import { defaultNumber, freshNumber, knownNumbers, simulatorNumber, spokenNumber } from './numbers.ts'
import { Phone } from './phone.tsx'
import { TextEvents } from './text_events.tsx'
import { TextMe } from './text_me.tsx'
import { useHandset } from './use_handset.ts'

const DialPad = lazyPart(() => import('../softphone/dial_pad.tsx').then(module => module.DialPad))

export function HandsetScreen() {
  const { permissions, mode } = useSession()
  const carriers = useCarriers()
  if (!permissions.has('messages:read')) return <Refused title="Handset" />
  return (
    <>
      <PageHeader
        title="Handset"
        description={
          mode === 'test'
            ? 'A virtual phone. Texts to its number arrive here as on a real one, and what you answer comes in to Tandem with all that follows.'
            : 'A virtual phone. As long as your organization has no carrier, its live texts reach only phones like this one, with a number that begins with +1 500 555. Texts to any other number are not sent.'
        }
      />
      {carriers.isPending ? (
        <LoadingRows label="Loading the carriers" rows={2} />
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
  const summary = names.length > 3 ? `${names.slice(0, 3).join(', ')} and more` : names.join(', ')
  return (
    <Card>
      <EmptyState
        icon={<RadioTower size={20} />}
        title="The handset is not in use in live mode"
        text={`Your organization has a carrier (${summary}), so live texts go to real phones and come from them. In test mode the handset always works.`}
        action={
          <>
            <Button variant="primary" onClick={() => setMode('test')}>
              Switch to test mode
            </Button>
            <ButtonLink to="/carriers">Carriers</ButtonLink>
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
  const options = useMemo(() => {
    const known: ComboboxOption[] = knownNumbers.map(({ number: value, does }) => ({
      value,
      label: spokenNumber(value),
      hint: mode === 'test' ? does : 'A phone that is switched on',
      keywords: value,
    }))
    if (!knownNumbers.some(({ number: value }) => value === number))
      known.unshift({
        value: number,
        label: spokenNumber(number),
        hint: 'A phone that is switched on',
        keywords: number,
      })
    return known
  }, [number, mode])
  return (
    <div className={styles['picker']}>
      <Combobox
        label="Number of this handset"
        options={options}
        value={number}
        freeText
        {...(wrong ? { error: 'Must be a number of the simulator: +1 500 555 and four digits.' } : {})}
        hint={`${options.find(({ value }) => value === number)?.hint}. Any +1 500 555 xxxx can be typed.`}
        // Only the end is typed: the rest is known.
        onChange={next => onPick(simulatorNumber(next) ?? next)}
      />
      <Button icon={<Smartphone size={14} />} onClick={() => onPick(freshNumber())}>
        Take a fresh number
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
