// Tests a mail server or a mailbox, and shows what both sides said.
import type { MailTransportsTestReply, Tandem } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CodeBlock } from '../ui/code.tsx'
import { faultText } from '../ui/faults.ts'
import { Button, Chip, Dialog, ErrorNote } from '../ui/index.ts'
import { t } from './texts.ts'

/** In a row of the list, for who may manage mail: opens the dialog that tests. */
export function TestButton({ name, children }: { name: string; children(onClose: () => void): ReactNode }) {
  const show = useHeldDialog()
  const { permissions } = useSession()
  if (!permissions.has('mail:manage')) return null
  return (
    <Button size="sm" aria-label={t('testName', { name })} onClick={() => show(children)}>
      {t('test')}
    </Button>
  )
}

type Tested = Pick<MailTransportsTestReply, 'ok' | 'reason' | 'trace'>
export type TestDialogProps<Reply> = {
  name: string
  description: string
  test(api: Tandem): Promise<Reply>
  /** What is said beside whether it works. */
  said(reply: Reply): ReactNode
  /** What is asked before. */
  children?: ReactNode
  onClose(): void
}

export function TestDialog<Reply extends Tested>(props: TestDialogProps<Reply>) {
  const { name, description, said, children, onClose } = props
  const api = useApi()
  const test = useMutation({ gcTime: 0, mutationFn: () => props.test(api) })
  return (
    <Dialog
      open
      wide
      onOpenChange={open => !open && onClose()}
      title={t('testName', { name })}
      description={description}
      footer={
        <>
          <Button onClick={onClose}>{t('close')}</Button>
          <Button variant="primary" busy={test.isPending} onClick={() => test.mutate()}>
            {t('testNow')}
          </Button>
        </>
      }
    >
      {children}
      {test.error !== null && <ErrorNote text={faultText(test.error)} />}
      {test.data !== undefined && <Trial reply={test.data}>{said(test.data)}</Trial>}
    </Dialog>
  )
}

const marks = { client: '>', server: '<', note: '#' }

function Trial({ reply: { ok, trace }, children }: { reply: Tested; children: ReactNode }) {
  return (
    <div aria-live="polite">
      <p>
        <Chip tone={ok ? 'ok' : 'bad'}>{t(ok ? 'works' : 'worksNot')}</Chip> {children}
      </p>
      <CodeBlock label={t('trace')} code={trace.map(({ who, text }) => `${marks[who]} ${text}`).join('\n')} wrap />
    </div>
  )
}
